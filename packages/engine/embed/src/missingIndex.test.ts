/** A stage that searches is reported where no plugin has an index, and only where it would search. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import retrieval from "@planloom/retrieval"
import stages from "@planloom/stages"
import { definePlugin } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { check } from "./Workflow.ts"

const provider = definePlugin({
  id: "some",
  summary: "A provider.",
  components: {
    providers: [{ id: "some", summary: "A provider.", generate: () => Effect.die("not called") }],
  },
})

const found = (text: string, hasIndex = false) =>
  Effect.gen(function* () {
    const path = join(mkdtempSync(join(tmpdir(), "planloom-index-")), "flow.yaml")
    const names = ["@planloom/stages", ...(hasIndex ? ["@planloom/retrieval"] : [])]
    writeFileSync(
      path,
      `apiVersion: planloom/v1
kind: Workflow
name: flow
use: { plugins: ${JSON.stringify(names)} }
inputs: { message: { type: string } }
${text}
`,
    )
    const { diagnostics } = yield* check(path, {
      plugins: {
        "@planloom/stages": async () => stages,
        "@planloom/retrieval": async () => retrieval,
      },
      extraPlugins: [provider],
    })
    return diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ code, message, start }) => [code, message, start.line])
  })

const route = (model = "") =>
  `stages: [{ id: talk, uses: route, ${model}with: { request: "\${{ inputs.message }}", start: a, agents: { a: { description: All. } } } }]`

const narrow = 'stages: [{ id: pick, uses: narrow, with: { question: "${{ inputs.message }}" } }]'

const mechanically = [
  "PL4046",
  'the stage kind "route" searches without a model, and no plugin has an index',
]

describe("a stage kind that searches", () => {
  it.effect.each([
    ["route without a model", route(), [...mechanically, 6]],
    [
      "route whose model falls back",
      `models: { m: { try: [some/one], otherwise: mechanical } }\n${route("model: m, ")}`,
      ["PL4046", 'the stage kind "route" searches, and no plugin has an index', 7],
    ],
    [
      "narrow",
      narrow,
      ["PL4046", 'the stage kind "narrow" searches, and no plugin has an index', 6],
    ],
  ] as const)("is reported without an index: %s", ([, text, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* found(text), [[...expected]])
      assert.deepStrictEqual(yield* found(text, true), [])
    }),
  )

  it.effect.each([
    ["of the stage", route("model: some/one, ")],
    ["of the workflow", `defaults: { model: some/one }\n${route()}`],
  ] as const)("needs none with a model %s, where only its mechanical way searches", ([, text]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* found(text), [])
    }),
  )
})
