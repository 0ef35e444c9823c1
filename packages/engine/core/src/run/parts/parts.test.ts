/** Parts of streamed outputs: what a host receives of a reply while the model writes it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import {
  ModelFailed,
  stageKind,
  type ModelPart,
  type Part,
  type Provider,
  type StageKind,
} from "@planloom/plugin/effect"
import { recordCassette, replayCassette } from "@planloom/testing"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"
import type { Pipeline } from "../../pipeline/Pipeline.ts"
import { emptyRecording, recordingJournal } from "../journal/journals.ts"
import type { RunOptions } from "../RunOptions.ts"

const reply = stageKind<{ readonly ask?: string }>({
  id: "reply",
  summary: "Replies as its model does.",
  input: { type: "object", properties: { ask: { type: "string" } } },
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  model: ({ ask = "?" }, { model }) =>
    Effect.map(
      model.text({ messages: [{ role: "user", content: ask }], parts: "reply" }),
      ({ text }) => ({ text }),
    ),
})

const text = (piece: string): ModelPart => ({ type: "text", text: piece })
const usage = { input: 3, output: 5 }
const finish: ModelPart = { type: "finish", reason: "stop", usage }
const lost = new ModelFailed({ class: "unavailable", model: "vendor/any", message: "gone" })

type Reply = Stream.Stream<ModelPart, ModelFailed>
const whole = (...pieces: ReadonlyArray<string>): Reply => Stream.make(...pieces.map(text), finish)
const broken = (...pieces: ReadonlyArray<string>): Reply =>
  Stream.concat(Stream.fromIterable(pieces.map(text)), Stream.fail(lost))

/** Gives one reply after another. */
const provider = (replies: ReadonlyArray<Reply>, id = "vendor"): Provider => {
  let asked = 0
  return { id, summary: "Streams.", stream: () => replies[asked++] ?? Stream.fail(lost) }
}

const workflow = (stage: string, more = "") => `
${more}
stages:
  - { id: reply, uses: reply, model: vendor/any${stage} }
outputs:
  answer: { type: string, value: "\${{ stages.reply.output.text }}", stream: true }
`

const streamed = (
  source: string,
  providers: ReadonlyArray<Provider>,
  options: RunOptions = {},
  inputs = {},
) =>
  Effect.gen(function* () {
    const { pipeline } = yield* workflowOf(source, { providers, stages: [reply] })
    return yield* partsOf(pipeline, options, inputs)
  })

const partsOf = (pipeline: Pipeline, options: RunOptions = {}, inputs = {}) =>
  Effect.gen(function* () {
    const parts: Array<Part> = []
    const { events, result } = yield* collect(pipeline, inputs, {
      ...options,
      onPart: (part) => void parts.push(part),
    })
    return { parts, result, events, course: parts.map(shown) }
  })

const shown = (part: Part): string => {
  switch (part.type) {
    case "text":
      return part.text
    case "value":
      return JSON.stringify(part.value)
    case "reset":
      return `reset ${part.cause}`
    case "settled":
      return `settled ${part.revision}`
  }
}

describe("a streamed output", () => {
  it.effect("reaches the host part by part, then settles once, and is the output", () =>
    Effect.gen(function* () {
      const pieces = Stream.rechunk(whole("Hel", "lo", " you", "."), 1)
      const { course, parts, result } = yield* streamed(workflow(""), [provider([pieces])])
      assert.deepStrictEqual(course, ["Hel", "lo", " you", ".", "settled 1"])
      assert.deepStrictEqual(result.outputs, { answer: "Hello you." })
      assert.strictEqual(new Set(parts.map(({ message }) => message)).size, 1)
    }),
  )

  it.effect("arrives in one part for each array of the provider", () =>
    Effect.gen(function* () {
      const { course } = yield* streamed(workflow(""), [provider([whole("a", "b", "c")])])
      assert.deepStrictEqual(course, ["abc", "settled 1"])
    }),
  )

  it.effect("is reset by a retry after the provider was lost", () =>
    Effect.gen(function* () {
      const { course, events, result } = yield* streamed(
        workflow(", retry: { max_retries: 1, on: [unavailable], delay: 0ms }"),
        [provider([broken("Half an ans"), whole("A whole answer.")])],
      )
      assert.deepStrictEqual(course, ["Half an ans", "reset retry", "A whole answer.", "settled 2"])
      assert.deepStrictEqual(result.outputs, { answer: "A whole answer." })
      const lostCall = events.find(({ type }) => type === "ModelCalled")
      assert.isTrue(lostCall?.type === "ModelCalled" && lostCall.usage.estimated)
      assert.isTrue(lostCall?.type === "ModelCalled" && lostCall.usage.output > 0)
    }),
  )

  it.effect("is reset by the next model", () =>
    Effect.gen(function* () {
      const source = workflow("", "models: { m: { try: [one/any, two/any] } }").replace(
        "vendor/any",
        "m",
      )
      const { course } = yield* streamed(source, [
        provider([broken("First")], "one"),
        provider([whole("Second")], "two"),
      ])
      assert.deepStrictEqual(course, ["First", "reset fallback", "Second", "settled 2"])
    }),
  )

  it.effect("is reset by a rerun that an assertion requests", () =>
    Effect.gen(function* () {
      const source = workflow(
        ", assert: [{ that: size(stages.reply.output.text) > 5, on_fail: { rerun: reply, max_reruns: 1 } }]",
      )
      const { course } = yield* streamed(source, [provider([whole("Short"), whole("Long enough")])])
      assert.deepStrictEqual(course, ["Short", "reset rerun", "Long enough", "settled 2"])
    }),
  )

  it.effect("is reset by the strategy without a model, whose text comes in one part", () =>
    Effect.gen(function* () {
      const both = stageKind<object>({
        ...(reply as unknown as StageKind<object>),
        id: "both",
        mechanical: () => Effect.succeed({ text: "Without a model, with s3cr3t-key." }),
      })
      const { pipeline } = yield* workflowOf(
        workflow("", "models: { m: { try: [vendor/any], otherwise: mechanical } }")
          .replace("uses: reply", "uses: both")
          .replace("model: vendor/any", "model: m"),
        { providers: [provider([broken("Half")])], stages: [both] },
      )
      const { course } = yield* partsOf(pipeline, { secrets: ["s3cr3t-key"] })
      const without = "Without a model, with [secret]."
      assert.deepStrictEqual(course, ["Half", "reset fallback", without, "settled 2"])
    }),
  )

  it.effect("is reset by the fallback of a failed stage, which is streamed, too", () =>
    Effect.gen(function* () {
      const { course } = yield* streamed(
        workflow(", on_error: fallback, fallback: { uses: reply, model: other/any }"),
        [provider([broken("Half")]), provider([Stream.rechunk(whole("Who", "le"), 1)], "other")],
      )
      assert.deepStrictEqual(course, ["Half", "reset fallback", "Who", "le", "settled 2"])
    }),
  )

  it.effect("comes in one part from a cassette, and from the record of a run", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "cassette-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
      const recording = emptyRecording()
      const given = () => [provider([Stream.rechunk(whole("Hel", "lo"), 1)])]
      const live = yield* streamed(workflow(""), given(), {
        cassette: yield* recordCassette(folder, "test", {}),
      })
      const replayed = yield* streamed(workflow(""), [provider([])], {
        cassette: yield* replayCassette(folder, {}),
      })
      const recorded = () => ({ run: "r", journal: recordingJournal(recording) })
      yield* streamed(workflow(""), given(), recorded())
      const resumed = yield* streamed(workflow(""), [provider([])], recorded())
      assert.deepStrictEqual(live.course, ["Hel", "lo", "settled 1"])
      assert.deepStrictEqual(replayed.course, ["Hello", "settled 1"])
      assert.deepStrictEqual(resumed.course, ["Hello", "settled 1"])
    }),
  )

  it.effect("keeps what was delivered and never settles when the run fails", () =>
    Effect.gen(function* () {
      const { course, result } = yield* streamed(workflow(""), [provider([broken("Half")])])
      assert.deepStrictEqual(course, ["Half"])
      assert.strictEqual(result.status, "failed")
    }),
  )

  it.effect("is not streamed by the provider when no host reads parts", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const both: Provider = {
        id: "vendor",
        summary: "Both ways.",
        generate: () => {
          asked.push("generate")
          return Effect.succeed({
            text: " whole ",
            reasoning: "",
            toolCalls: [],
            finish: "stop" as const,
            usage,
          })
        },
        stream: () => {
          asked.push("stream")
          return whole(" who", "le ")
        },
      }
      const { pipeline } = yield* workflowOf(workflow(""), { providers: [both], stages: [reply] })
      const { result } = yield* collect(pipeline)
      const { course, result: again } = yield* partsOf(pipeline)
      assert.deepStrictEqual(asked, ["generate", "stream"])
      assert.deepStrictEqual(course, ["whole", "settled 1"])
      assert.deepStrictEqual(again.outputs, result.outputs)
    }),
  )

  it.effect("gives partial values of a JSON reply, which are computed when they are read", () =>
    Effect.gen(function* () {
      const value = stageKind<object>({
        id: "value",
        summary: "Replies with JSON.",
        input: { type: "object" },
        output: { type: "object", properties: { value: true }, required: ["value"] },
        streams: "value",
        model: (_, { model }) =>
          Effect.map(
            model.json(
              { messages: [{ role: "user", content: "?" }], parts: "reply" },
              { name: "value", schema: { type: "object" } },
            ),
            (given) => ({ value: given }),
          ),
      })
      const pieces = ['<think>{"a"', ':0}</think>{"key": "s3cr3t', '-key", "list": [1, ', "2]}"]
      const { pipeline } = yield* workflowOf(
        workflow("")
          .replace("uses: reply", "uses: value")
          .replace("type: string, ", "")
          .replace("output.text", "output.value"),
        { providers: [provider([Stream.rechunk(whole(...pieces), 1)])], stages: [value] },
      )
      const { course, parts, result } = yield* partsOf(pipeline, { secrets: ["s3cr3t-key"] })
      const shownValue = { key: "[secret]", list: [1, 2] }
      assert.deepStrictEqual(result.outputs, { answer: shownValue })
      assert.deepStrictEqual(course.at(-1), "settled 1")
      assert.deepStrictEqual(course.at(-2), JSON.stringify(shownValue))
      assert.isAbove(parts.length, 3)
      assert.notInclude(course.join(), "s3cr3t")
    }),
  )

  it.effect("resets a JSON reply that is corrected with the cause retry", () =>
    Effect.gen(function* () {
      const value = stageKind<object>({
        id: "value",
        summary: "Replies with JSON.",
        input: { type: "object" },
        output: { type: "object", properties: { value: true }, required: ["value"] },
        streams: "value",
        model: (_, { model }) =>
          Effect.map(
            model.json(
              { messages: [{ role: "user", content: "?" }], parts: "reply" },
              {
                name: "value",
                schema: {
                  type: "object",
                  properties: { n: { type: "integer" } },
                  required: ["n"],
                },
              },
            ),
            (given) => ({ value: given }),
          ),
      })
      const { pipeline } = yield* workflowOf(
        workflow("")
          .replace("uses: reply", "uses: value")
          .replace("type: string, ", "")
          .replace("output.text", "output.value"),
        { providers: [provider([whole('{"other": true}'), whole('{"n": 1}')])], stages: [value] },
      )
      const { course, result } = yield* partsOf(pipeline)
      assert.deepStrictEqual(result.outputs, { answer: { n: 1 } })
      assert.include(course, "reset retry")
      assert.notInclude(course, "reset fallback")
    }),
  )

  it.effect("holds back reasoning and secrets", () =>
    Effect.gen(function* () {
      const reasoning: ModelPart = { type: "reasoning", text: "I wonder" }
      const pieces = ["<thi", "nk>hm", "</think>", "\n\nThe key ", "is s3c", "r3t-k", "ey.", " "]
      const given = Stream.rechunk(Stream.make(reasoning, ...pieces.map(text), finish), 1)
      const { course, result } = yield* streamed(workflow(""), [provider([given])], {
        secrets: ["s3cr3t-key"],
      })
      assert.deepStrictEqual(course, ["The key", " is ", "[secret].", "settled 1"])
      assert.deepStrictEqual(result.outputs, { answer: "The key is [secret]." })
    }),
  )
})
