/** Applications open the store that planloom.yaml chooses. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { InputsRejected } from "@planloom/core"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { echo } from "../../core/test/inline.ts"
import { loadWorkflow, openProjectStore, StoreInvalid } from "./index.ts"

const files = join(import.meta.dirname, "../../../../examples/store/plugin.ts")
const folders: Array<string> = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const project = (settings: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"))
  folders.push(folder)
  writeFileSync(
    join(folder, "planloom.yaml"),
    `apiVersion: planloom/v1\nkind: Project\n${settings}`,
  )
  return folder
}

/** The failure of opening the store of a project. */
const refused = async (settings: string): Promise<unknown> => {
  try {
    await openProjectStore(project(settings))
  } catch (error) {
    return error
  }
  return assert.fail("the store was opened")
}

describe("the store of a project", () => {
  it("records the runs of an application", async () => {
    const folder = project(
      `plugins: { ${JSON.stringify(files)}: { folder: recorded } }\nruns: { store: files }\n`,
    )
    const path = join(folder, "w.yaml")
    writeFileSync(
      path,
      "apiVersion: planloom/v1\nkind: Workflow\nname: w\nstages: [{ id: a, uses: echo, with: { value: 1 } }]\n",
    )
    const { close, store } = await openProjectStore(folder)
    const basics = definePlugin({ id: "basics", summary: "Echo.", components: { stages: [echo] } })
    const workflow = await loadWorkflow(path, { extraPlugins: [basics] })
    await workflow.run({}, { store, run: "r1" })
    assert.deepStrictEqual(readdirSync(join(folder, "recorded")), ["run-cjE.json"])
    await workflow.close()
    await close()
  })

  it("resumes a run with the personal inputs of its start, and records no answer for others", async () => {
    const folder = project(
      `plugins: { ${JSON.stringify(files)}: { folder: recorded } }\nruns: { store: files }\n`,
    )
    const path = join(folder, "w.yaml")
    writeFileSync(
      path,
      `apiVersion: planloom/v1
kind: Workflow
name: w
inputs: { to: { type: string }, card: { type: string, personal: true } }
stages:
  - { id: ok, uses: ask }
  - { id: paid, uses: echo, with: { value: "\${{ inputs.to }} \${{ inputs.card }}" } }
outputs: { paid: "\${{ stages.paid.output }}" }
`,
    )
    const { close, store } = await openProjectStore(folder)
    const ask = stageKind({
      id: "ask",
      summary: "Asks.",
      input: { type: "object" },
      output: true,
      run: (_, context) =>
        Effect.map(
          context.ask({ message: "Pay?", schema: { type: "boolean" } }),
          ({ value }) => value,
        ),
    })
    const stages = [echo, ask]
    const basics = definePlugin({ id: "basics", summary: "Kinds.", components: { stages } })
    const workflow = await loadWorkflow(path, { extraPlugins: [basics] })
    const { status } = await workflow.run({ to: "ann", card: "4711" }, { store, run: "r" })
    assert.strictEqual(status, "suspended")
    for (const inputs of [{ card: "4712" }, { card: "4711", to: "mallory" }]) {
      const failure = await workflow
        .answer("r", { value: true }, { store, inputs })
        .catch((error: unknown) => error)
      assert.instanceOf(failure, InputsRejected)
    }
    assert.strictEqual((await Effect.runPromise(store.waits())).length, 1)
    const paid = await workflow.answer("r", { value: true }, { store, inputs: { card: "4711" } })
    assert.deepStrictEqual(paid?.outputs, { paid: "ann 4711" })
    await workflow.close()
    await close()
  })

  it.each([
    ["plugins: {}\nruns: { store: fils }\n", '4:16 there is no store "fils"'],
    [
      `plugins: { ${JSON.stringify(files)}: { path: x } }\nruns: { store: files }\n`,
      "does not fit",
    ],
    ["plugins: { ./none.ts: {} }\nruns: { store: files }\n", "the file does not exist"],
  ])("is refused with its diagnostic: %s", async (settings, message) => {
    const error = await refused(settings)
    assert.instanceOf(error, StoreInvalid)
    assert.include(error.message, message)
  })

  it("reads only the secrets that runs.secrets names", async () => {
    const folder = project(
      `plugins: { ./vault.ts: {} }\nruns: { store: vault, secrets: [ALLOWED] }\n`,
    )
    writeFileSync(
      join(folder, "vault.ts"),
      `import { succeed } from ${JSON.stringify(import.meta.resolve("effect/Effect"))}
export default { id: "vault", summary: "Says what it was given.", apiVersion: 1, provides: { stores: ["vault"] },
  setup: (_, { secret }) => succeed({ stores: [{ id: "vault", summary: secret("ALLOWED") + " " + secret("OTHER") }] }) }
`,
    )
    const { close, store } = await openProjectStore(folder, {
      secret: (name) => `value of ${name}`,
    })
    assert.strictEqual(store.summary, "value of ALLOWED undefined")
    await close()
  })
})
