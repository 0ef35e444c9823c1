/** Progress of tool calls, as events report it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import {
  sectionKind,
  stageKind,
  type Gate,
  type JsonObject,
  type ToolInvocation,
  type ToolSource,
} from "@planloom/plugin/effect"
import { collect } from "../../test/collect.ts"
import { workflowOf } from "../../test/inline.ts"
import { emptyRecording, recordingJournal } from "../run/journal/journals.ts"
import type { RunOptions } from "../run/RunOptions.ts"

const call = stageKind<JsonObject>({
  id: "call",
  summary: "Calls a tool.",
  input: { type: "object" },
  output: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
  streams: "text",
  model: () => Effect.die("no model is asked"),
  mechanical: (_, { callTool }) =>
    Effect.as(callTool({ tool: "look", params: {}, key: "one" }), { text: "" }),
})

/** Writes in capitals; blocks what asks for a secret. */
const gate: Gate = {
  open: () => (given) =>
    Stream.fromEffect(
      Effect.map(Stream.mkString(given), (text) => {
        const isBlocked = text.includes("blocked")
        const verdict = isBlocked ? "block" : "replace"
        const findings = [{ verdict, confidence: 1, reason: "by the gate" }] as const
        return { type: "settled", text: isBlocked ? "" : text.toUpperCase(), findings } as const
      }),
    ),
}

const reports = (
  work: (invocation: ToolInvocation) => Effect.Effect<unknown>,
  { options, isGated = false }: { readonly options?: RunOptions; readonly isGated?: boolean } = {},
) =>
  Effect.gen(function* () {
    const source: ToolSource = {
      id: "tools",
      summary: "Tools.",
      list: Effect.succeed({
        tools: [
          {
            name: "look",
            summary: "Looks.",
            capabilities: [],
            inputs: {},
            params: true,
            outputs: [],
            effect: "read",
          },
        ],
      }),
      call: (invocation) => Effect.as(work(invocation), { value: null }),
    }
    const guard = sectionKind<boolean>({
      on: "workflow",
      key: "guard",
      summary: "A gate.",
      schema: { type: "boolean" },
      bind: () => ({ gate }),
    })
    const { pipeline } = yield* workflowOf(
      `${isGated ? "guard: true\n" : ""}stages: [{ id: work, uses: call }]\n`,
      { stages: [call], tools: [source], sections: [guard] },
    )
    const { events } = yield* collect(pipeline, {}, options)
    return events.flatMap((one) => (one.type === "ToolProgressed" ? [one] : []))
  })

const messages = (found: ReadonlyArray<{ readonly message: string }>) =>
  found.map(({ message }) => message)

describe("the progress of a tool", () => {
  it.effect("is an event with its tool, on one short line, and a fraction of the whole", () =>
    Effect.gen(function* () {
      const found = yield* reports(({ progress }) =>
        Effect.gen(function* () {
          yield* progress(`one\n\ttwo ${"x".repeat(1000)}`, 7)
          yield* TestClock.adjust(1000)
          yield* progress("half", 0.5)
          yield* TestClock.adjust(1000)
          yield* progress("unknown", NaN)
        }),
      )
      const [first, second, third] = found
      assert.match(first!.message, /^one two x+…$/)
      assert.isAtMost(first!.message.length, 200)
      assert.deepInclude(first, {
        path: "work",
        stage: "work",
        tool: "look",
        key: "one",
        fraction: 1,
      })
      assert.deepInclude(second, { message: "half", fraction: 0.5 })
      assert.notProperty(third, "fraction")
    }),
  )

  it.effect(
    "is reported no more than a few times a second, however often the tool reports it",
    () =>
      Effect.gen(function* () {
        const found = yield* reports(({ progress }) =>
          Effect.forEach(Array.from({ length: 1001 }), (_, at) =>
            Effect.andThen(progress(`at ${at}`), TestClock.adjust(1)),
          ),
        )
        assert.deepStrictEqual(messages(found), ["at 0", "at 250", "at 500", "at 750", "at 1000"])
      }),
  )

  it.effect("ends after a thousand reports of a call", () =>
    Effect.gen(function* () {
      const found = yield* reports(({ progress }) =>
        Effect.forEach(Array.from({ length: 1100 }), () =>
          Effect.andThen(progress("on"), TestClock.adjust(1000)),
        ),
      )
      assert.lengthOf(found, 1000)
    }),
  )

  it.effect("has no secret, and passes the gate of what its stage shows", () =>
    Effect.gen(function* () {
      const work = ({ progress }: ToolInvocation) =>
        Effect.gen(function* () {
          yield* progress("key s3cr3t-value")
          yield* TestClock.adjust(1000)
          yield* progress("blocked words")
          yield* TestClock.adjust(1000)
          yield* progress("done")
        })
      const options: RunOptions = { secrets: ["s3cr3t-value"] }
      const plain = messages(yield* reports(work, { options }))
      assert.notInclude(plain.join(), "s3cr3t-value")
      assert.deepStrictEqual(plain.slice(1), ["blocked words", "done"])
      assert.deepStrictEqual(messages(yield* reports(work, { isGated: true })).slice(1), ["DONE"])
    }),
  )

  it.effect("is not reported again by a run that has the record of the call", () =>
    Effect.gen(function* () {
      const recording = emptyRecording()
      const work = ({ progress }: ToolInvocation) => progress("on")
      for (const expected of [["ON"], []]) {
        const options = { journal: recordingJournal(recording) }
        assert.deepStrictEqual(messages(yield* reports(work, { options, isGated: true })), expected)
      }
    }),
  )
})
