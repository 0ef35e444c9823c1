/** Texts of strategies without a model, at the gate of their stage. */
import { assert, describe, it } from "@effect/vitest"
import {
  sectionKind,
  stageKind,
  StageFailed,
  type Gate,
  type JsonObject,
  type Released,
  type Strategy,
} from "@planloom/plugin/effect"
import { Effect, Stream } from "effect"
import { collect, unshownFailure } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"

const settled = (text: string, verdict: "replace" | "block"): Released => ({
  type: "settled",
  text,
  findings: [{ verdict, confidence: 1, reason: "by the gate" }],
})

/** Writes in capitals, and blocks a request for a secret before it reads the text. */
const guard: Gate = {
  open:
    ({ request }) =>
    (given) =>
      request.includes("secret")
        ? Stream.make(settled("Refused.", "block"))
        : Stream.fromEffect(
            Effect.map(Stream.mkString(given), (text) => settled(text.toUpperCase(), "replace")),
          ),
}

const outcome = (message: string, mechanical: Strategy, refused?: (text: string) => JsonObject) =>
  Effect.gen(function* () {
    let runs = 0
    const speak = stageKind<object>({
      id: "speak",
      summary: "Speaks without a model.",
      input: { type: "object" },
      output: {
        type: "object",
        properties: { text: { type: "string" }, calls: { type: "integer" } },
        required: ["text", "calls"],
      },
      streams: "text",
      model: () => Effect.die("no model is asked"),
      mechanical: (input, context) => {
        runs++
        return mechanical(input as never, context)
      },
      ...(refused === undefined ? {} : { refused }),
    })
    const { pipeline } = yield* workflowOf(
      `
guard: true
inputs: { message: { type: string } }
session: { request: "\${{ inputs.message }}", assistant: "\${{ stages.say.output.text }}" }
stages: [{ id: say, uses: speak }]
outputs: { answer: { type: string, value: "\${{ stages.say.output.text }}", stream: true } }
`,
      {
        stages: [speak],
        sections: [
          sectionKind<boolean>({
            on: "workflow",
            key: "guard",
            summary: "A gate.",
            schema: { type: "boolean" },
            bind: () => ({ gate: guard }),
          }),
        ],
      },
    )
    const { events, result } = yield* collect(pipeline, { message })
    const notes = events.flatMap((event) => (event.type === "Noted" ? [event.note] : []))
    return { events, notes, result, runs: () => runs }
  })

const said: Strategy = () => Effect.succeed({ text: "hello", calls: 1 })

describe("a text that no model wrote", () => {
  it.effect("leaves as its gate settles it, with the rest of the output", () =>
    Effect.gen(function* () {
      const { notes, result } = yield* outcome("hi", said)
      assert.deepStrictEqual(result.stages["say"]?.output, { text: "HELLO", calls: 1 })
      assert.deepStrictEqual(result.outputs, { answer: "HELLO" })
      assert.deepStrictEqual(notes, ["gate_findings"])
    }),
  )

  it.effect("is not made for a request that its gate blocks; the kind gives an output for it", () =>
    Effect.gen(function* () {
      const { result, runs } = yield* outcome("a secret", said, (text) => ({ text, calls: 0 }))
      assert.strictEqual(runs(), 0)
      assert.deepStrictEqual(result.stages["say"]?.output, { text: "Refused.", calls: 0 })
    }),
  )

  it.effect("fails its stage if the kind's output for a blocked request does not fit", () =>
    Effect.gen(function* () {
      const { result, runs } = yield* outcome("a secret", said)
      assert.strictEqual(runs(), 0)
      assert.strictEqual(result.failure?.class, "invalid_output")
    }),
  )

  it.effect("keeps the failure of the strategy that writes it", () =>
    Effect.gen(function* () {
      const failure = new StageFailed({ class: "conflict", message: "not today" })
      const { events, result } = yield* outcome("hi", () => Effect.fail(failure))
      assert.strictEqual(result.failure?.class, "conflict")
      assert.strictEqual(unshownFailure(events), "not today")
    }),
  )
})
