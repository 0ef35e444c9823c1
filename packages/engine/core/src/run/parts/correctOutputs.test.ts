/** Reviews of outputs that have left: their corrections in events, parts, outputs, sessions and records. */
import { assert, describe, it } from "@effect/vitest"
import {
  failureClasses,
  sectionKind,
  stageKind,
  StageFailed,
  type Correction,
  type Gate,
  type Json,
  type Part,
  type Provider,
  type RunEvent,
} from "@planloom/plugin/effect"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"
import { emptyRecording, recordingJournal } from "../journal/journals.ts"
import type { RunOptions } from "../RunOptions.ts"
import { memorySessions } from "../session/memorySessions.ts"

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
  mechanical: () => Effect.succeed({ text: "By rules." }),
})

const send = stageKind<{ readonly text: string }>({
  id: "send",
  summary: "Calls a tool.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  output: true,
  run: ({ text }, { callTool }) => callTool({ tool: "send", params: { text }, key: "only" }),
})

const sending = {
  id: "tools",
  summary: "Tools.",
  list: Effect.succeed({
    tools: [
      {
        name: "send",
        summary: "Sends a text.",
        capabilities: [],
        inputs: {},
        params: true,
        outputs: [],
        effect: "write" as const,
      },
    ],
  }),
  call: () => Effect.succeed({ value: "sent" }),
}

const provider: Provider = {
  id: "vendor",
  summary: "Greets.",
  stream: () =>
    Stream.make(
      { type: "text", text: "Hello " },
      { type: "text", text: "you." },
      { type: "finish", reason: "stop", usage: { input: 1, output: 2 } },
    ),
}

type After = NonNullable<Gate["after"]>

/** Sections `late` whose gates pass everything and review as `after` does. */
const lateGate = (after: After) =>
  (["workflow", "stage"] as const).map((on) =>
    sectionKind<boolean>({
      on,
      key: "late",
      summary: "A gate.",
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
          after,
        },
      }),
    }),
  )

const source = `
late: true
session: { request: "hi", assistant: "\${{ stages.reply.output.text }}" }
stages: [{ id: reply, uses: reply, model: vendor/any }]
outputs: { answer: { type: string, value: "\${{ stages.reply.output.text }}", stream: true } }
`

const loaded = (after: After, yaml = source) =>
  Effect.map(
    workflowOf(yaml, {
      providers: [provider],
      stages: [reply, send],
      sections: lateGate(after),
      tools: [sending],
    }),
    ({ pipeline }) => pipeline,
  )

const found = (one: Partial<Correction>): Effect.Effect<Correction> =>
  Effect.succeed({ action: "replace", ...one })

const ran = (after: After, yaml = source, options: RunOptions = {}) =>
  Effect.gen(function* () {
    const parts: Array<Part> = []
    const pipeline = yield* loaded(after, yaml)
    const onPart = (part: Part) => void parts.push(part)
    const { events, result } = yield* collect(pipeline, {}, { onPart, ...options })
    return { events, outputs: outputEvents(events), parts: parts.map(partText), result }
  })

const partText = (part: Part): string =>
  part.type === "text"
    ? part.text
    : part.type === "reset"
      ? `reset ${part.cause}`
      : part.type === "settled"
        ? `settled ${part.revision}`
        : part.type

const outputEvents = (events: ReadonlyArray<RunEvent>): ReadonlyArray<Json> =>
  events.flatMap((event) =>
    event.type === "OutputReady"
      ? [`${event.name}: ${String(event.value)}`]
      : event.type === "OutputCorrected"
        ? [`${event.name} ${event.revision} ${event.action}: ${event.text ?? ""}`]
        : [],
  )

describe("an output that is reviewed after it has left", () => {
  it.effect.each([
    [
      { action: "replace", text: "Good day." },
      "Good day.",
      ["reset verdict", "Good day.", "settled 2"],
    ],
    [
      { action: "retract", text: "A person calls." },
      "A person calls.",
      ["reset verdict", "A person calls.", "settled 2"],
    ],
    [{ action: "append", text: "Bye." }, "Hello you.\n\nBye.", ["\n\nBye.", "settled 2"]],
    [{ action: "annotate" }, "Hello you.", []],
  ] as const)("leaves at once, and is corrected: %o", ([one, corrected, more]) =>
    Effect.gen(function* () {
      const { outputs, parts, result } = yield* ran(() => found(one))
      assert.deepStrictEqual(result.outputs, { answer: corrected })
      assert.deepStrictEqual(parts, ["Hello you.", "settled 1", ...more])
      const text = "text" in one ? one.text : ""
      assert.deepStrictEqual(outputs, ["answer: Hello you.", `answer 2 ${one.action}: ${text}`])
    }),
  )

  it.effect("stays without events of a correction when its reviewers accept it", () =>
    Effect.gen(function* () {
      const asked: Array<Json> = []
      const { outputs, result } = yield* ran((text, { request }, { path }) => {
        asked.push({ text, request, path })
        return Effect.succeed(undefined)
      })
      assert.deepStrictEqual(asked, [{ text: "Hello you.", request: "hi", path: "reply" }])
      assert.deepStrictEqual(outputs, ["answer: Hello you."])
      assert.strictEqual(result.status, "succeeded")
    }),
  )

  it.effect("stays when its review fails, which is noted", () =>
    Effect.gen(function* () {
      const failure = new StageFailed({ class: "unavailable", message: "the judge is down" })
      const { events, result } = yield* ran(() => Effect.fail(failure))
      assert.deepStrictEqual(result.outputs, { answer: "Hello you." })
      const noted = events.find((event) => event.type === "Noted")
      assert.include(JSON.stringify(noted), failureClasses.unavailable)
      assert.notInclude(JSON.stringify(events), "the judge is down")
    }),
  )

  it.effect("stays when the corrected text does not fit its schema", () =>
    Effect.gen(function* () {
      const yaml = source.replace("type: string,", "type: string, maxLength: 12,")
      const { outputs, result } = yield* ran(() => found({ text: "A much longer text." }), yaml)
      assert.deepStrictEqual(result.outputs, { answer: "Hello you." })
      assert.deepStrictEqual(outputs[1], "answer 2 annotate: ")
    }),
  )

  it.effect("stays when a later stage has called a tool that writes", () =>
    Effect.gen(function* () {
      const yaml = source.replace(
        "model: vendor/any }]",
        'model: vendor/any }, { id: send, uses: send, with: { text: "done" } }]',
      )
      const { outputs, result } = yield* ran(() => found({ text: "Good day." }), yaml)
      assert.deepStrictEqual(result.outputs, { answer: "Hello you." })
      assert.deepStrictEqual(outputs[1], "answer 2 annotate: ")
    }),
  )

  it.effect("is reviewed past the time limit of its workflow, which is about its stages", () =>
    Effect.gen(function* () {
      const reviewing = yield* Deferred.make<void>()
      const slow: After = () =>
        Deferred.succeed(reviewing, undefined).pipe(
          Effect.andThen(Effect.sleep("20 seconds")),
          Effect.andThen(found({ text: "Good day." })),
        )
      const yaml = `\ntimeout: 10s${source}`
      const running = yield* Effect.forkChild(ran(slow, yaml))
      yield* Deferred.await(reviewing)
      yield* TestClock.adjust("20 seconds")
      const { result } = yield* Fiber.join(running)
      assert.deepStrictEqual(result.outputs, { answer: "Good day." })
    }),
  )

  it.effect("is reviewed too when its stage ran without a model", () =>
    Effect.gen(function* () {
      const yaml = source.replace(", model: vendor/any", "")
      const { outputs, result } = yield* ran(() => found({ text: "Good day." }), yaml)
      assert.deepStrictEqual(result.outputs, { answer: "Good day." })
      assert.strictEqual(outputs.length, 2)
    }),
  )

  it.effect("is corrected from the record of its run, without another review", () =>
    Effect.gen(function* () {
      const recording = emptyRecording()
      let asked = 0
      const after: After = () => {
        asked++
        return found({ text: "Good day." })
      }
      const options = () => ({ run: "r", journal: recordingJournal(recording) })
      const first = yield* ran(after, source, options())
      const second = yield* ran(after, source, options())
      assert.deepStrictEqual(second.result.outputs, { answer: "Good day." })
      assert.deepStrictEqual(second.outputs, first.outputs)
      assert.strictEqual(asked, 1)
    }),
  )

  it.effect("is kept by its session as corrected, and the next turn waits for that", () =>
    Effect.gen(function* () {
      const sessions = memorySessions()
      const reviewing = yield* Deferred.make<void>()
      const decided = yield* Deferred.make<void>()
      let reviews = 0
      const pipeline = yield* loaded((text, { turns }) =>
        Effect.gen(function* () {
          if (++reviews === 2) return { ...(yield* found({ text: turns[0]!.assistant + "!" })) }
          yield* Deferred.succeed(reviewing, undefined)
          yield* Deferred.await(decided)
          return yield* found({ text: `Not ${text}` })
        }),
      )
      const turn = () => collect(pipeline, {}, { session: "talk", sessions })
      const first = yield* Effect.forkChild(turn())
      yield* Deferred.await(reviewing)
      const second = yield* Effect.forkChild(turn())
      yield* Effect.yieldNow
      assert.isUndefined(yield* sessions.load("talk"))
      yield* Deferred.succeed(decided, undefined)
      assert.strictEqual((yield* Fiber.join(first)).result.status, "succeeded")
      const { result } = yield* Fiber.join(second)
      assert.deepStrictEqual(result.outputs, { answer: "Not Hello you.!" })
      const kept = yield* sessions.load("talk")
      assert.deepStrictEqual(
        kept!.turns.map(({ assistant }) => assistant),
        ["Not Hello you.", "Not Hello you.!"],
      )
    }),
  )

  it.effect.each(["retract", "replace"] as const)(
    "is not kept by its session, which reads its stage, when it has more than that text: %s",
    (action) =>
      Effect.gen(function* () {
        const sessions = memorySessions()
        const yaml = source.replace('value: "', 'value: "You: ').replace(", stream: true", "")
        const options = { session: "talk", sessions }
        const { result } = yield* ran(
          () => found({ action, text: "A person calls." }),
          yaml,
          options,
        )
        assert.deepStrictEqual(result.outputs, { answer: "A person calls." })
        const kept = yield* sessions.load("talk")
        assert.strictEqual(kept!.turns[0]!.assistant, "A person calls.")
      }),
  )

  it.effect("is not kept by its session when the run is interrupted before the review ends", () =>
    Effect.gen(function* () {
      const sessions = memorySessions()
      const reviewing = yield* Deferred.make<void>()
      const pipeline = yield* loaded(() =>
        Effect.andThen(Deferred.succeed(reviewing, undefined), Effect.never),
      )
      const options = { session: "talk", sessions }
      const turn = yield* Effect.forkChild(collect(pipeline, {}, options))
      yield* Deferred.await(reviewing)
      yield* Fiber.interrupt(turn)
      assert.isUndefined(yield* sessions.load("talk"))
      // The next turn does not wait for one that has ended.
      const next = yield* ran(() => found({ text: "Good day." }), source, options)
      assert.strictEqual(next.result.status, "succeeded")
    }),
  )
})
