/** Hosts that give a run its user: from files, as a stream, and from an artefact. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { artefactOf, checkWorkflow } from "@planloom/language"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import { InputsRejected } from "@planloom/core"
import * as Effect from "effect/Effect"
import { loadArtefact, type Artefact } from "./artefact.ts"
import type { EmbeddedWorkflow } from "./EmbeddedWorkflow.ts"
import { loadWorkflow } from "./loadWorkflow.ts"

const text = `apiVersion: planloom/v1
kind: Workflow
name: hello
use: { plugins: [kinds] }
user: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }
stages: [{ id: hello, uses: shout, with: { text: "Hello \${{ has(user.name) ? user.name : user.id }}" } }]
outputs: { text: { type: string, value: "\${{ stages.hello.output }}" } }
`

const kinds = definePlugin({
  id: "kinds",
  summary: "Shouts.",
  components: {
    stages: [
      stageKind<{ readonly text: string }>({
        id: "shout",
        summary: "Shouts.",
        input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        output: { type: "string" },
        run: (input) => Effect.succeed(`${input.text}!`),
      }),
    ],
  },
})
const options = { plugins: { kinds: async () => kinds } }

describe("the user that a host gives", () => {
  let folder: string
  let file: string
  let workflow: EmbeddedWorkflow

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "planloom-embed-"))
    file = join(folder, "hello.yaml")
    writeFileSync(file, text)
    workflow = await loadWorkflow(file, options)
  })

  afterAll(async () => {
    await workflow.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const user = { id: "u_1", name: "Ann" }

  it("is read by a run and by a stream", async () => {
    assert.deepStrictEqual((await workflow.run({}, { user })).outputs, { text: "Hello Ann!" })
    const { result } = workflow.events({}, { user: { id: "u_2" } })
    assert.deepStrictEqual((await result).outputs, { text: "Hello u_2!" })
  })

  it("rejects with a typed failure that names the field", async () => {
    const failed = async (given: object) =>
      workflow.run({}, given).then(
        () => assert.fail("it succeeded"),
        (error: unknown) => error as InputsRejected,
      )
    const wrong = await failed({ user: { id: 7 } })
    assert.instanceOf(wrong, InputsRejected)
    assert.deepStrictEqual([wrong.subject, wrong.issues[0]?.path], ["user", "/id"])
    assert.include((await failed({})).message, "needs a user")
    const stream = workflow.events({})
    assert.strictEqual(
      (await stream.result.catch((error: InputsRejected) => error.subject)) as unknown,
      "user",
    )
  })

  it("is checked by a workflow from an artefact, too", async () => {
    const { sources, workflow: read } = await Effect.runPromise(
      Effect.scoped(checkWorkflow(file, options, "load")),
    )
    const artefact = JSON.parse(
      JSON.stringify(await artefactOf({ workflow: read!, sources, folder })),
    ) as Artefact
    const built = await loadArtefact(artefact, options)
    assert.deepStrictEqual((await built.run({}, { user })).outputs, { text: "Hello Ann!" })
    const refused = await built.run({}).catch((error: unknown) => error)
    assert.instanceOf(refused, InputsRejected)
    await built.close()
  })
})
