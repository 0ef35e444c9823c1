/** Corrections of streamed outputs for applications: the stream stays open until later reviews have ended. */
import { assert, describe, it } from "@effect/vitest"
import {
  definePlugin,
  sectionKind,
  stageKind,
  type Correction,
  type Part,
  type RunEvent,
} from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { loadWorkflow } from "./loadWorkflow.ts"

const summary = "A part of a test."

const reply = stageKind<object>({
  id: "reply",
  summary,
  input: { type: "object" },
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  model: (_, { model }) =>
    Effect.map(
      model.text({ messages: [{ role: "user", content: "?" }], parts: "reply" }),
      ({ text }) => ({ text }),
    ),
})

const provider = {
  id: "vendor",
  summary,
  stream: () =>
    Stream.make(
      { type: "text" as const, text: "A promise." },
      { type: "finish" as const, reason: "stop" as const, usage: { input: 1, output: 2 } },
    ),
}

/** Reviews texts that have left until `decided`. */
const late = (decided: Promise<Correction | undefined>) =>
  sectionKind<boolean>({
    on: "workflow",
    key: "late",
    summary,
    schema: { type: "boolean" },
    bind: () => ({
      gate: {
        open: () => (text) =>
          Stream.fromEffect(
            Effect.map(Stream.mkString(text), (whole) => ({
              type: "settled" as const,
              text: whole,
              findings: [],
            })),
          ),
        after: () => Effect.promise(() => decided),
      },
    }),
  })

const text = `apiVersion: planloom/v1
kind: Workflow
name: w
use: { plugins: [p] }
late: true
stages: [{ id: say, uses: reply, model: vendor/any }]
outputs: { answer: { type: string, value: "\${{ stages.say.output.text }}", stream: true } }
`

const streaming = async (decided: Promise<Correction | undefined>) => {
  const workflow = await loadWorkflow("w.yaml", {
    plugins: {
      p: async () =>
        definePlugin({
          id: "p",
          summary,
          components: { stages: [reply], providers: [provider], sections: [late(decided)] },
        }),
    },
    texts: new Map([["w.yaml", text]]),
  })
  const events: Array<RunEvent> = []
  const stream = workflow.stream({}, { onEvent: (event) => events.push(event) })
  const parts = stream[Symbol.asyncIterator]()
  /** The next parts, up to and with a settled one. */
  const settled = async () => {
    const given: Array<Part> = []
    for (;;) {
      const { value, done } = await parts.next()
      if (done === true) return given
      given.push(value)
      if (value.type === "settled") return given
    }
  }
  return { close: () => workflow.close(), events, parts, settled, stream }
}

const retracted: Correction = { action: "retract", text: "Withdrawn." }

describe("the stream of a run that is reviewed after its outputs have left", () => {
  it("gives the reply at once, stays open, and ends with the correction", async () => {
    const { promise, resolve } = Promise.withResolvers<Correction | undefined>()
    const { close, events, parts, settled, stream } = await streaming(promise)
    assert.deepInclude((await settled()).at(-1), { type: "settled", revision: 1 })
    const next = settled()
    let isOver = false
    void stream.result.then(() => (isOver = true))
    while (!events.some(({ type }) => type === "OutputReady")) {
      await new Promise((turn) => setImmediate(turn))
    }
    assert.isFalse(isOver)
    resolve(retracted)
    const more = await next
    assert.deepStrictEqual(
      more.map(({ type }) => type),
      ["reset", "text", "settled"],
    )
    assert.deepInclude(more[0], { cause: "verdict" })
    assert.deepInclude(more[1], { text: "Withdrawn." })
    assert.deepInclude(more[2], { revision: 2 })
    assert.isTrue((await parts.next()).done)
    assert.deepStrictEqual((await stream.result).outputs, { answer: "Withdrawn." })
    await close()
  })

  it("ends after the review when nothing is corrected", async () => {
    const { promise, resolve } = Promise.withResolvers<Correction | undefined>()
    const { close, parts, settled, stream } = await streaming(promise)
    await settled()
    const next = parts.next()
    resolve(undefined)
    assert.isTrue((await next).done)
    assert.deepStrictEqual((await stream.result).outputs, { answer: "A promise." })
    await close()
  })
})
