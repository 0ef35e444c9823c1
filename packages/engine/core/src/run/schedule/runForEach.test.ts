/** Occurrences of a stage that runs once per item. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { stageKind, StageFailed } from "@planloom/plugin/effect"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"

const integer = { type: "integer" } as const
const input = { type: "object", properties: { n: integer }, required: ["n"] } as const

const given = `
inputs: { list: { type: array, items: { type: integer } } }
stages: [{ id: each, uses: one, for_each: { in: inputs.list, as: n, max_parallel: 2 }, with: { n: "\${{ n }}" } }]
outputs: { all: "\${{ stages.each.output }}" }
`

describe("a stage for each item", () => {
  it.effect("names each occurrence by its index, in every run and however many there are", () =>
    Effect.gen(function* () {
      const one = stageKind<{ readonly n: number }>({
        id: "one",
        summary: "Returns what it is given.",
        input,
        output: integer,
        run: ({ n }) => Effect.succeed(n),
      })
      const { pipeline } = yield* workflowOf(given, { stages: [one] })
      for (const count of [0, 3, 1100]) {
        const list = Array.from({ length: count }, (_, index) => index)
        const { events, result } = yield* collect(pipeline, { list })
        assert.deepStrictEqual(result.outputs, { all: list })
        const paths = list.map((index) => `each[${index}]`)
        assert.deepStrictEqual(Object.keys(result.stages), ["each", ...paths])
        assert.sameMembers(
          events.flatMap((event) => (event.type === "StageFinished" ? [event.path] : [])),
          [...paths, "each"],
        )
      }
    }),
  )

  it.effect("that fails interrupts the items under way and starts no other", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const one = stageKind<{ readonly n: number }>({
        id: "one",
        summary: "Fails for 2.",
        input,
        output: integer,
        run: ({ n }) => {
          seen.push(`started ${n}`)
          return n === 2
            ? Effect.fail(new StageFailed({ class: "tool_error", message: "2" }))
            : Effect.onInterrupt(Effect.never, () =>
                Effect.sync(() => void seen.push(`interrupted ${n}`)),
              )
        },
      })
      const { pipeline } = yield* workflowOf(given, { stages: [one] })
      const { result } = yield* collect(pipeline, { list: [1, 2, 3, 4] })
      assert.strictEqual(result.failure?.stage, "each[1]")
      assert.deepStrictEqual(seen, ["started 1", "started 2", "interrupted 1"])
      assert.strictEqual(result.stages["each[0]"]?.outcome, "cancelled")
    }),
  )
})
