/** Types of expressions on the output of a `call` stage. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { definePlugin, type Tool } from "@planloom/plugin/effect"
import { check } from "@planloom/embed"
import stages from "../src/index.ts"

/** Problems of an output that adds one to a field of the result of the tool `look`. */
const problems = (field: string, more: Partial<Tool>) => {
  const path = join(mkdtempSync(join(tmpdir(), "planloom-")), "w.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: test
stages: [{ id: a, uses: call, with: { tool: look } }]
outputs: { out: "\${{ stages.a.output.${field} + 1 }}" }
`,
  )
  const tool: Tool = {
    name: "look",
    summary: "Looks.",
    capabilities: [],
    inputs: {},
    params: true,
    outputs: [],
    ...more,
  }
  const source = {
    id: "shelf",
    summary: "Tools.",
    list: Effect.succeed({ tools: [tool] }),
    call: () => Effect.succeed({ value: null }),
  }
  const plugin = definePlugin({ id: "test", summary: "Test.", components: { tools: [source] } })
  return Effect.map(check(path, { extraPlugins: [stages, plugin] }), ({ diagnostics }) =>
    diagnostics.map(({ code, message }) => `${code} ${message}`),
  )
}

describe("the output of a call stage", () => {
  const result = {
    type: "object",
    properties: { rows: { type: "integer" }, title: { type: "string" } },
    required: ["rows", "title"],
    additionalProperties: false,
  } as const

  it.effect("has the type of the tool's result", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problems("rows", { result }), [])
      const [unknown] = yield* problems("row", { result })
      assert.match(unknown ?? "", /^PL1201 stages\.a\.output has no field/)
      const [text] = yield* problems("title", { result })
      assert.match(text ?? "", /^PL1202 "\+" has no meaning for text/)
    }),
  )

  it.effect("may be anything if the tool declares no result", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problems("row", {}), [])
    }),
  )
})
