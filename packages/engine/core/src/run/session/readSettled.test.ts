/** Texts that a session records of outputs that were changed on their way out, by the output they belong to. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { hook } from "@planloom/plugin/effect"
import { hookedWorkflow } from "../../../test/hooked.ts"
import { run } from "../run.ts"
import { memorySessions } from "./memorySessions.ts"

/** Changes each output in its own way, and the output `kept` not at all. */
const marked = hook<"before_response">({
  id: "marked",
  summary: "Marks texts with their outputs.",
  point: "before_response",
  kind: "transform",
  run: ({ output, text }) => ({ text: output === "kept" ? text : `${output}: ${text}` }),
})

const recorded = (yaml: string, assistant: string, state: { readonly [name: string]: string }) =>
  Effect.gen(function* () {
    const { pipeline } = yield* hookedWorkflow(
      `
hooks: [{ use: marked }]
stages:
  - { id: a, uses: echo, with: { value: { text: Done. } } }
  - { id: b, uses: echo, with: { value: { text: Done. } } }
  - { id: c, uses: echo, with: { value: { text: Done. } } }
session:
  request: u
  assistant: "${assistant}"
  state:
${Object.entries(state)
  .map(([name, value]) => `    ${name}: { default: "", value: "${value}" }`)
  .join("\n")}
${yaml}
`,
      [marked],
    )
    const sessions = memorySessions()
    yield* run(pipeline, {}, { session: "s", sessions })
    const kept = yield* sessions.load("s")
    return { assistant: kept!.turns[0]!.assistant, state: kept!.state }
  })

describe("a session that records texts of several outputs", () => {
  it.effect("keeps equal texts of two outputs apart", () =>
    Effect.gen(function* () {
      const outputs = `
outputs:
  first: { type: string, value: "\${{ stages.a.output.text }}" }
  second: { type: string, value: "\${{ stages.b.output.text }}" }
`
      const { assistant, state } = yield* recorded(outputs, "${{ stages.a.output.text }}", {
        b: "${{ stages.b.output.text }}",
        both: "${{ stages.a.output.text + '|' + stages.b.output.text }}",
        whole: "${{ stages.b.output }}",
      })
      assert.strictEqual(assistant, "first: Done.")
      assert.deepStrictEqual(state, {
        b: "second: Done.",
        both: "first: Done.|second: Done.",
        whole: { text: "second: Done." },
      })
    }),
  )

  it.effect("keeps the text of an unchanged output that is equal to a changed one", () =>
    Effect.gen(function* () {
      const outputs = `
outputs:
  kept: { type: string, value: "\${{ stages.a.output.text }}" }
  changed: { type: string, value: "\${{ stages.b.output.text }}" }
`
      const { assistant, state } = yield* recorded(outputs, "${{ stages.a.output.text }}", {
        b: "${{ stages.b.output.text }}",
      })
      assert.strictEqual(assistant, "Done.")
      assert.deepStrictEqual(state, { b: "changed: Done." })
    }),
  )

  it.effect("keeps equal texts of composed outputs apart", () =>
    Effect.gen(function* () {
      const outputs = `
outputs:
  first: { type: string, value: "\${{ stages.a.output.text }}!" }
  second: { type: string, value: "\${{ stages.b.output.text }}!" }
`
      const { assistant, state } = yield* recorded(outputs, "${{ stages.a.output.text }}!", {
        b: "${{ stages.b.output.text + '!' }}",
      })
      assert.strictEqual(assistant, "first: Done.!")
      assert.deepStrictEqual(state, { b: "second: Done.!" })
    }),
  )

  it.effect("reads a copy of a changed text that is no output as the output", () =>
    Effect.gen(function* () {
      const outputs = `
outputs: { first: { type: string, value: "\${{ stages.a.output.text }}" } }
`
      const { assistant, state } = yield* recorded(outputs, "${{ stages.c.output.text }}", {
        copied: "${{ stages.c.output.text }}",
      })
      assert.strictEqual(assistant, "first: Done.")
      assert.deepStrictEqual(state, { copied: "first: Done." })
    }),
  )
})
