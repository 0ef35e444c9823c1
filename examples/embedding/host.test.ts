import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { check } from "@planloom/embed"
import { typesOf } from "@planloom/language"

const here = import.meta.dirname

describe("the embedding example", () => {
  it("runs and prints what its workflow gives", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [`${here}/host.ts`])
    assert.deepStrictEqual(stdout.trim().split("\n").slice(-2), [
      "Hello Ada! Hello Lin!",
      "0 model calls, 0 tool calls",
    ])
    assert.include(stdout, "greetings[1] done")
  })

  it("has fewer than thirty lines", async () => {
    const host = await readFile(`${here}/host.ts`, "utf8")
    assert.isBelow(host.trimEnd().split("\n").length, 30)
  })

  it.effect("has the types that the workflow says", () =>
    Effect.gen(function* () {
      const { diagnostics, workflow } = yield* check(`${here}/greeting.yaml`)
      assert.deepStrictEqual(diagnostics, [])
      const written = yield* Effect.promise(() => readFile(`${here}/greeting.types.ts`, "utf8"))
      assert.strictEqual(written, typesOf(workflow!.definition, workflow!.resources))
    }),
  )
})
