/** What `check` says of the files that a stage attaches. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { check } from "@planloom/embed"
import stages from "@planloom/stages"

const checked = (attach: string, uses: "generate" | "agent" = "generate") =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "planloom-attach-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true })),
    )
    writeFileSync(join(folder, "label.png"), "")
    const path = join(folder, "read.yaml")
    const tools = uses === "agent" ? "tools: [], " : ""
    const text = `apiVersion: planloom/v1
kind: Workflow
name: read
inputs: { photo: { type: string } }
stages:
  - { id: read, uses: ${uses}, with: { ${tools}task: "What is on \${{ inputs.photo }}?", attach: [${attach}] } }
`
    const { diagnostics } = yield* check(path, {
      texts: new Map([[path, text]]),
      extraPlugins: [stages],
    })
    return diagnostics.flatMap(({ code, message, start }) =>
      code === "PL4011" ? [`${start.line}:${start.col} ${message}`] : [],
    )
  }).pipe(Effect.scoped)

describe("a file that a stage attaches", () => {
  it.effect("is reported when it does not exist", () =>
    Effect.gen(function* () {
      const missing = '"lable.png" cannot be read: the file does not exist'
      assert.deepStrictEqual(yield* checked("lable.png"), [`6:91 ${missing}`])
      assert.deepStrictEqual(yield* checked("label.png, lable.png", "agent"), [`6:110 ${missing}`])
    }),
  )

  it.effect(
    "is not reported when runs find it, and when its path or data comes from elsewhere",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* checked("label.png"), [])
        assert.deepStrictEqual(yield* checked('"${{ inputs.photo }}"'), [])
        assert.deepStrictEqual(yield* checked('"data:image/png;base64,aGk="'), [])
      }),
  )
})
