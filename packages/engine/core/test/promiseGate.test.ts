/** Gates in promise style: failures, suspensions and interruptions of a reply that they read. */
import { assert, describe, it } from "@effect/vitest"
import {
  gate,
  ModelFailed,
  provider,
  sectionKind,
  stageKind,
  type Gate,
  type Json,
} from "@planloom/plugin"
import * as Effect from "effect/Effect"
import { collect, unshownFailure } from "./collect.ts"
import { workflowOf } from "./inline.ts"

const reply = stageKind({
  id: "reply",
  summary: "Replies as its model does.",
  input: { type: "object" },
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  model: async (_, { model }) => {
    const { text } = await model.text({
      messages: [{ role: "user", content: "?" }],
      parts: "reply",
    })
    return { text }
  },
})

const streaming = (pieces: ReadonlyArray<string>, isLost = false) =>
  provider({
    id: "vendor",
    summary: "Streams.",
    stream: async function* ({ model }) {
      for (const text of pieces) yield { type: "text", text }
      if (isLost) throw new ModelFailed({ class: "unavailable", model, message: "lost" })
      yield { type: "finish", reason: "stop", usage: { input: 1, output: 1 } }
    },
  })

const gated = (open: Gate["open"], given = streaming(["one", " two", " three"])) =>
  Effect.gen(function* () {
    const section = sectionKind({
      on: "workflow",
      key: "gated",
      summary: "A gate.",
      schema: { type: "boolean" },
      bind: () => ({ gate: gate({ open }) }),
    })
    const { pipeline } = yield* workflowOf(
      `gated: true
stages: [{ id: reply, uses: reply, model: vendor/any }]
outputs: { answer: { type: string, value: "\${{ stages.reply.output.text }}", stream: true } }
`,
      { providers: [given], stages: [reply], sections: [section] },
    )
    const texts: Array<string> = []
    const { events, result } = yield* collect(
      pipeline,
      {},
      { onPart: (part) => void texts.push("text" in part ? part.text : part.type) },
    )
    return { events, result, texts }
  })

describe("a gate in promise style", () => {
  it.effect("releases and settles what it yields, and uses its context between texts", () =>
    Effect.gen(function* () {
      const { result, texts } = yield* gated(async function* (text, { data }, context) {
        const counts = context.collection("counts")
        let whole = ""
        for await (const piece of text) {
          await counts.put("texts", whole.length)
          whole += piece.toUpperCase()
          yield { type: "release", text: piece.toUpperCase() }
        }
        const kept: Json = (await counts.get("texts"))?.value ?? null
        whole += ` ${String(kept)} ${JSON.stringify(data)} ${context.stage}`
        yield { type: "settled", text: whole, findings: [] }
      })
      assert.deepStrictEqual(result.outputs, { answer: "ONE TWO THREE 7 {} reply" })
      assert.strictEqual(texts.join("|").replaceAll("|", "").slice(0, 13), "ONE TWO THREE")
    }),
  )

  it.effect("cannot settle a reply that broke off: its catch does not see the failure", () =>
    Effect.gen(function* () {
      let isCaught = false
      const { events, result, texts } = yield* gated(
        async function* (text) {
          let whole = ""
          try {
            for await (const piece of text) whole += piece
          } catch {
            isCaught = true
          }
          yield { type: "settled", text: whole, findings: [] }
        },
        streaming(["one"], true),
      )
      assert.deepStrictEqual(
        [result.status, unshownFailure(events), isCaught],
        ["failed", "lost", false],
      )
      assert.notInclude(texts.join(), "settled")
    }),
  )

  it.effect("stops the model when it ends early, and its signal is aborted", () =>
    Effect.gen(function* () {
      let read = 0
      const endless = provider({
        id: "vendor",
        summary: "Streams without an end.",
        stream: async function* (_, { signal }) {
          while (!signal.aborted) {
            read++
            yield { type: "text", text: "word " }
          }
        },
      })
      let signal: AbortSignal | undefined
      const { result } = yield* gated(async function* (text, _, context) {
        signal = context.signal
        for await (const piece of text) {
          yield { type: "release", text: piece }
          break
        }
        yield { type: "settled", text: "Enough.", findings: [] }
      }, endless)
      assert.deepStrictEqual(result.outputs, { answer: "Enough." })
      assert.isTrue(signal?.aborted)
      assert.isBelow(read, 1000)
    }),
  )

  it.effect("that throws fails its stage, with its error as the cause", () =>
    Effect.gen(function* () {
      const broken = (): never => {
        throw new TypeError("no such word")
      }
      for (const open of [
        broken,
        async function* () {
          yield { type: "release", text: "one" } as const
          broken()
        },
      ]) {
        const { events, result, texts } = yield* gated(open)
        assert.strictEqual(result.status, "failed")
        assert.include(unshownFailure(events), "no such word")
        assert.notInclude(texts.join(), "settled")
      }
    }),
  )
})
