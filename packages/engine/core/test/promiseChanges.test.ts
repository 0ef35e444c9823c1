/** A tool source in promise style whose list changes while its workflow is loaded. */
import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { toolSource, type Json } from "@planloom/plugin"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { stageKind } from "@planloom/plugin/effect"
import { collect } from "./collect.ts"
import { workflowOf } from "./inline.ts"

const look = stageKind<object>({
  id: "look",
  summary: "The tools it can reach.",
  input: { type: "object" },
  output: true,
  run: (_, { tools }) => Effect.succeed(tools.map(({ name }) => name) as Json),
})

const named = (name: string) => ({
  name,
  summary: `Does ${name}.`,
  capabilities: [],
  inputs: {},
  params: true,
  outputs: [],
})

describe("a tool source in promise style", () => {
  it.effect("is listed again when it yields a change, until its workflow is closed", () =>
    Effect.gen(function* () {
      const change = Promise.withResolvers<void>()
      const listed = yield* Deferred.make<void>()
      let lists = 0
      let signal: AbortSignal | undefined
      yield* Effect.scoped(
        Effect.gen(function* () {
          const source = toolSource({
            id: "shelf",
            summary: "Tools.",
            list: async () => {
              const tools = [named(lists++ === 0 ? "first" : "second")]
              if (lists > 1) Deferred.doneUnsafe(listed, Effect.void)
              return { tools }
            },
            changes: async function* (call) {
              signal = call.signal
              await change.promise
              yield
              await once(call.signal, "abort")
            },
            call: async () => ({ value: null }),
          })
          const { pipeline } = yield* workflowOf(
            'stages: [{ id: a, uses: look }]\noutputs: { tools: "${{ stages.a.output }}" }',
            { stages: [look], tools: [source] },
          )
          const tools = Effect.map(collect(pipeline), ({ result }) => result.outputs?.["tools"])
          assert.deepStrictEqual(yield* tools, ["first"])
          change.resolve()
          yield* Deferred.await(listed)
          yield* Effect.repeat(Effect.yieldNow, { times: 20 })
          assert.deepStrictEqual(yield* tools, ["second"])
          assert.isFalse(signal?.aborted)
        }),
      )
      assert.isTrue(signal?.aborted)
    }),
  )
})
