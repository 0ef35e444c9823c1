import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { servedWorkflows } from "./servedWorkflows.ts"
import { reload } from "./watchWorkflows.ts"

const base = join(import.meta.dirname, "../../test/fixture/.planloom")
mkdirSync(base, { recursive: true })
const folder = mkdtempSync(join(base, "watch-"))
afterAll(() => rmSync(folder, { recursive: true }))

const text = (message: string, name: string) => `apiVersion: planloom/v1
kind: Workflow
name: ${name}
use: { plugins: ["@planloom/stages"] }
stages: [{ id: ask, uses: approve, with: { message: ${message} } }]
`

const serving = Effect.fnUntraced(function* (name: string) {
  const path = join(folder, `${name}.yaml`)
  writeFileSync(path, text("One", name))
  const served = yield* servedWorkflows([path], { set: [], flag: [], env: undefined })
  const file = served.files[0]!
  return { ...served, file, path, again: reload(served, file), first: file.version! }
})

describe("a served workflow that is loaded again", () => {
  it.effect("is used by new runs, while the version of a run stays open until the run ends", () =>
    Effect.gen(function* () {
      const { again, file, first, path, versions, workflows } = yield* serving("change")
      yield* Effect.scoped(
        Effect.gen(function* () {
          assert.strictEqual(yield* versions.use(first.definition), first)
          writeFileSync(path, text("Two", "change"))
          yield* again
          assert.notStrictEqual(file.version, first)
          assert.strictEqual(workflows.get("change"), file.version)
          assert.strictEqual(yield* versions.use(first.definition), first)
        }),
      )
      assert.isUndefined(yield* versions.use(first.definition))
      assert.strictEqual(yield* versions.use(file.version!.definition), file.version)
    }),
  )

  it.effect("stays the same version if its texts are those of before", () =>
    Effect.gen(function* () {
      const { again, file, first, versions } = yield* serving("same")
      yield* again
      assert.strictEqual(file.version, first)
      yield* versions.release(first)
      assert.isUndefined(yield* versions.use(first.definition))
    }),
  )

  it.effect("with errors keeps its previous version", () =>
    Effect.gen(function* () {
      const { again, file, first, path, workflows } = yield* serving("wrong")
      writeFileSync(path, text("Two", "wrong").replace("uses: approve", "uses: approv"))
      yield* again
      assert.match(file.problems!, /wrong\.yaml:5:\d+/)
      assert.strictEqual(workflows.get("wrong"), first)
    }),
  )

  it.effect("is found under its new name only", () =>
    Effect.gen(function* () {
      const { again, path, workflows } = yield* serving("old")
      writeFileSync(path, text("One", "new"))
      yield* again
      assert.deepStrictEqual([...workflows.keys()], ["new"])
    }),
  )
})
