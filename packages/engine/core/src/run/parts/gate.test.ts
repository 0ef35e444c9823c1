/** Gates: what they settle is what the stage, the host and the record get. */
import { assert, describe, it } from "@effect/vitest"
import {
  sectionKind,
  stageKind,
  StageFailed,
  type Gate,
  type ModelPart,
  type Part,
  type Provider,
  type Released,
} from "@planloom/plugin/effect"
import { emptyRecording, recordingJournal } from "../journal/journals.ts"
import { Effect, Stream } from "effect"
import { collect, unshownFailure } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"
import type { RunOptions } from "../RunOptions.ts"

const reply = stageKind<object>({
  id: "reply",
  summary: "Replies as its model does.",
  input: { type: "object" },
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  model: (_, { model }) =>
    Effect.map(
      model.text({ messages: [{ role: "user", content: "?" }], parts: "reply" }),
      ({ text }) => ({ text }),
    ),
})

const text = (piece: string): ModelPart => ({ type: "text", text: piece })
const finish: ModelPart = { type: "finish", reason: "stop", usage: { input: 3, output: 5 } }

/** Gives these texts, one by one, and says how many were read. */
const provider = (...pieces: ReadonlyArray<string>) => {
  const seen = { read: 0, calls: 0 }
  const one: Provider = {
    id: "vendor",
    summary: "Streams.",
    stream: () => {
      seen.calls++
      return Stream.rechunk(
        Stream.make(...pieces.map(text), finish).pipe(
          Stream.tap(() => Effect.sync(() => void seen.read++)),
        ),
        1,
      )
    },
  }
  return { provider: one, seen }
}

const release = (given: string): Released => ({ type: "release", text: given })
const settled = (given: string, ...findings: ReadonlyArray<string>): Released => ({
  type: "settled",
  text: given,
  findings: findings.map((reason) => ({ verdict: "replace", confidence: 1, reason })),
})

const opened: Array<unknown> = []

/** Writes in capitals; what it has seen is in `opened`. */
const capitals: Gate = {
  open: ({ data, request }, { path, stage }) => {
    opened.push({ data, request, path, stage })
    return (given) => {
      let whole = ""
      const parts = Stream.map(given, (piece) => {
        whole += piece.toUpperCase()
        return release(piece.toUpperCase())
      })
      return Stream.concat(
        parts,
        Stream.suspend(() => Stream.make(settled(whole))),
      )
    }
  },
}

/** Ends at the word "stop", which does not leave. */
const stopping: Gate = {
  open: () => (given) =>
    Stream.concat(
      Stream.map(
        Stream.takeWhile(given, (piece) => !piece.includes("stop")),
        release,
      ),
      Stream.make(settled("Blocked.", "a bad word")),
    ),
}

const failing: Gate = {
  open: () => (given) =>
    Stream.concat(
      Stream.map(Stream.take(given, 1), release),
      Stream.fail(new StageFailed({ class: "unavailable", message: "the gate is down" })),
    ),
}

const silent: Gate = { open: () => () => Stream.empty }

const gates: { readonly [key: string]: Gate } = { capitals, stopping, failing, silent }

const sections = (["workflow", "stage"] as const).flatMap((on) =>
  Object.entries(gates).map(([key, gate]) =>
    sectionKind<boolean>({
      on,
      key,
      summary: "A gate.",
      schema: { type: "boolean" },
      bind: () => ({ gate }),
    }),
  ),
)

const workflow = (stage: string, top = "") => `
${top}
stages:
  - { id: reply, uses: reply, model: vendor/any${stage} }
outputs:
  answer: { type: string, value: "\${{ stages.reply.output.text }}", stream: true }
`

const gated = (source: string, given: Provider, options: RunOptions = {}) =>
  Effect.gen(function* () {
    const { pipeline } = yield* workflowOf(source, {
      providers: [given],
      stages: [reply],
      sections,
    })
    const parts: Array<Part> = []
    const streamed = yield* collect(
      pipeline,
      {},
      { ...options, onPart: (part) => void parts.push(part) },
    )
    return {
      ...streamed,
      pipeline,
      course: joined(parts).map((part) =>
        part.type === "text"
          ? part.text
          : part.type === "reset"
            ? `reset ${part.cause}`
            : part.type,
      ),
    }
  })

/** Texts that follow each other as one: a gate may read several at once. */
const joined = (parts: ReadonlyArray<Part>): ReadonlyArray<Part> =>
  parts.reduce<Array<Part>>((all, part) => {
    const last = all.at(-1)
    if (last?.type === "text" && part.type === "text") {
      all[all.length - 1] = { ...last, text: last.text + part.text }
    } else all.push(part)
    return all
  }, [])

describe("a gate", () => {
  it.effect("settles the text of stage, host and output, without reasoning and secrets", () =>
    Effect.gen(function* () {
      opened.length = 0
      const { course, result } = yield* gated(
        workflow("", "capitals: true"),
        provider("<think>hm</think>", "one s3cr", "3t-key", " two").provider,
        { secrets: ["s3cr3t-key"] },
      )
      assert.deepStrictEqual(course, ["ONE [SECRET] TWO", "settled"])
      assert.deepStrictEqual(result.outputs, { answer: "ONE [SECRET] TWO" })
      assert.deepStrictEqual(opened, [{ data: {}, request: "", path: "reply", stage: "reply" }])
    }),
  )

  it.effect("of a stage takes the place of that of its workflow", () =>
    Effect.gen(function* () {
      const { result } = yield* gated(
        workflow(", capitals: true", "stopping: true"),
        provider("stop it").provider,
      )
      assert.deepStrictEqual(result.outputs, { answer: "STOP IT" })
    }),
  )

  it.effect("replaces what has left by a verdict, and stops the model", () =>
    Effect.gen(function* () {
      const { provider: given, seen } = provider(
        "Good",
        " words",
        " stop",
        ...Array.from({ length: 50 }, () => " more"),
      )
      const { course, events, result } = yield* gated(workflow(", stopping: true"), given)
      assert.deepStrictEqual(course, ["Good words", "reset verdict", "Blocked.", "settled"])
      assert.deepStrictEqual(result.outputs, { answer: "Blocked." })
      assert.isBelow(seen.read, 12)
      const called = events.find(({ type }) => type === "ModelCalled")
      assert.isTrue(called?.type === "ModelCalled" && called.usage.estimated)
      const noted = events.find((event) => event.type === "Noted" && event.note === "gate_findings")
      assert.isTrue(noted?.type === "Noted" && JSON.stringify(noted.data).includes("replace"))
      assert.notInclude(JSON.stringify(events), "a bad word")
      assert.notInclude(JSON.stringify(events), "stop")
    }),
  )

  it.effect("reads a reply as one text when no host streams it", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* gated(workflow(", capitals: true"), provider("a", "b").provider)
      const { result } = yield* collect(pipeline)
      assert.deepStrictEqual(result.outputs, { answer: "AB" })
    }),
  )

  it.effect.each([
    ["failing", "the gate is down"],
    ["silent", "the gate ended without a settled text"],
  ])("that is %s fails its stage, and nothing looks finished", ([key, message]) =>
    Effect.gen(function* () {
      const { course, events, result } = yield* gated(
        workflow(`, ${key}: true`),
        provider("One", " two").provider,
      )
      assert.strictEqual(result.status, "failed")
      assert.include(unshownFailure(events), message ?? "")
      assert.notInclude(course.join(), "settled")
      assert.notInclude(course.join(), "two")
    }),
  )

  it.effect("does not read a recorded reply again", () =>
    Effect.gen(function* () {
      const recording = emptyRecording()
      const { provider: given, seen } = provider("a", "b")
      const options = () => ({ run: "one", journal: recordingJournal(recording) })
      const first = yield* gated(workflow(", capitals: true"), given, options())
      opened.length = 0
      const second = yield* gated(workflow(", capitals: true"), given, options())
      assert.deepStrictEqual(second.result.outputs, first.result.outputs)
      assert.deepStrictEqual(second.course, ["AB", "settled"])
      assert.deepStrictEqual([seen.calls, opened.length], [1, 0])
    }),
  )
})
