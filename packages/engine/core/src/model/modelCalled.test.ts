/** What the event of a model call says of it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import {
  ModelFailed,
  stageKind,
  type Json,
  type ModelReply,
  type Provider,
} from "@planloom/plugin/effect"
import { recordCassette, replayCassette } from "@planloom/testing"
import { collect } from "../../test/collect.ts"
import { workflowOf } from "../../test/inline.ts"

const ask = stageKind<object>({
  id: "ask",
  summary: "Asks.",
  input: { type: "object" },
  output: true,
  model: (_, { model }) =>
    Effect.map(model.text({ messages: [{ role: "user", content: "?" }] }), ({ text }) => text),
})

type Reply = Omit<ModelReply, "model">

const usage = { input: 7, output: 3 }
const reply: Reply = { text: "x", reasoning: "", toolCalls: [], finish: "stop", usage }

const failing = (detail?: Json) =>
  new ModelFailed({
    class: "content_filter",
    model: "vendor/any",
    message: "no",
    usage,
    ...(detail === undefined ? {} : { detail }),
  })

const named = (requestId: string): Reply => ({ ...reply, requestId })

/** One outcome, given whole and in parts. */
const ways: {
  readonly [way: string]: (outcome: Reply | ModelFailed) => Pick<Provider, "generate" | "stream">
} = {
  whole: (outcome) => ({
    generate: () =>
      outcome instanceof ModelFailed ? Effect.fail(outcome) : Effect.succeed(outcome),
  }),
  "in parts": (outcome) => ({
    stream: () =>
      outcome instanceof ModelFailed
        ? Stream.fail(outcome)
        : Stream.make(
            { type: "text", text: outcome.text },
            {
              type: "finish",
              reason: outcome.finish,
              usage: outcome.usage,
              ...(outcome.requestId === undefined ? {} : { requestId: outcome.requestId }),
            },
          ),
  }),
}

/** The event of the call, as the run told it and as its replay tells it again without asking anybody. */
const called = (given: Pick<Provider, "generate" | "stream">) =>
  Effect.gen(function* () {
    const { pipeline } = yield* workflowOf(
      "stages: [{ id: a, uses: ask, model: vendor/any }]\noutputs: {}\n",
      { providers: [{ id: "vendor", summary: "Answers as told.", ...given }], stages: [ask] },
    )
    const folder = mkdtempSync(join(tmpdir(), "cassette-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
    const events = []
    for (const cassette of [recordCassette(folder, "test", {}), replayCassette(folder, {})]) {
      const { events: told } = yield* collect(pipeline, {}, { cassette: yield* cassette })
      events.push(...told.flatMap((event) => (event.type === "ModelCalled" ? [event] : [])))
    }
    return events
  })

describe.each(Object.keys(ways))("the event of a call that is answered %s", (way) => {
  it.effect("carries the service's request id, also in a replay", () =>
    Effect.gen(function* () {
      const events = yield* called(ways[way]!(named("req_1")))
      assert.lengthOf(events, 2)
      for (const event of events) assert.deepInclude(event, { requestId: "req_1", usage })
    }),
  )

  it.effect("carries the request id of a failed call", () =>
    Effect.gen(function* () {
      const events = yield* called(ways[way]!(failing({ requestId: "req_2" })))
      assert.lengthOf(events, 2)
      for (const event of events) {
        assert.deepInclude(event, { requestId: "req_2", usage })
        assert.strictEqual(event.failure?.class, "content_filter")
      }
    }),
  )

  it.effect("has no request id when the service sent none", () =>
    Effect.gen(function* () {
      const outcomes = [reply, failing(), failing("req"), failing(null), failing({ requestId: 7 })]
      for (const outcome of outcomes) {
        for (const event of yield* called(ways[way]!(outcome))) {
          assert.notProperty(event, "requestId")
        }
      }
    }),
  )
})
