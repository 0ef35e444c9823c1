/** Tool calls of one attempt that run at once. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import {
  stageKind,
  type CallRecord,
  type JsonObject,
  type ToolSource,
} from "@planloom/plugin/effect"
import { collect } from "../../../../test/collect.ts"
import { workflowOf } from "../../../../test/inline.ts"

/** The order in which the calls end, which is not that in which they start. */
const ends = ["c", "b", "a"]

describe("the calls of an attempt", () => {
  it.effect("are listed as they started, whichever ends first", () =>
    Effect.gen(function* () {
      const gates = new Map(ends.map((of) => [of, Deferred.makeUnsafe<void>()]))
      const open = (of: string) => Deferred.succeed(gates.get(of)!, undefined)
      yield* open("c")
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
            },
          ],
        }),
        call: ({ params: { of } }) =>
          Effect.as(Deferred.await(gates.get(String(of))!), { value: null }),
      }
      const seen: Array<ReadonlyArray<CallRecord>> = []
      const looks = stageKind<JsonObject>({
        id: "looks",
        summary: "Calls the tool.",
        input: { type: "object" },
        output: true,
        run: (_, context) =>
          Effect.as(
            Effect.forEach(
              ends.toReversed(),
              (of) =>
                Effect.andThen(
                  context.callTool({ tool: "look", params: { of }, key: of }),
                  Effect.suspend(() => {
                    seen.push(context.calls)
                    const next = ends[seen.length]
                    return next === undefined ? Effect.void : open(next)
                  }),
                ),
              { concurrency: "unbounded" },
            ),
            null,
          ),
      })
      const { pipeline } = yield* workflowOf("stages: [{ id: a, uses: looks }]\n", {
        stages: [looks],
        tools: [source],
      })
      yield* collect(pipeline)
      assert.deepStrictEqual(
        seen.map((calls) => calls.map(({ key }) => key)),
        [["c"], ["b", "c"], ["a", "b", "c"]],
      )
    }),
  )
})
