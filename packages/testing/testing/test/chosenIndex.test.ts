/** The index of a workflow is chosen by its name, whatever the order of plugins. */
import { assert, describe, it } from "@effect/vitest"
import { stageKind, type Index } from "@planloom/plugin/effect"
import { Effect } from "effect"
import { collect } from "../../../engine/core/test/collect.ts"
import { workflowOf } from "../../../engine/core/test/inline.ts"

const index = (id: string): Index => ({
  id,
  summary: "Finds its own name.",
  build: () =>
    Effect.succeed({
      search: () => Effect.succeed([{ id, score: 1 }]),
      add: () => Effect.void,
      remove: () => Effect.void,
      size: () => 1,
    }),
})

const find = stageKind({
  id: "find",
  summary: "Searches.",
  input: { type: "object" },
  output: { type: "string" },
  run: (_, context) =>
    Effect.gen(function* () {
      const built = yield* context.index([])
      return (yield* built.search("", { limit: 1 }))[0]!.id
    }),
})

const flow = (key: string, indexes: ReadonlyArray<Index>) =>
  workflowOf(
    `${key}\nstages: [{ id: f, uses: find, with: {} }]\noutputs: { found: { value: "\${{ stages.f.output }}" } }\n`,
    { stages: [find], indexes },
  )

describe("the index of a workflow", () => {
  it.live.each([["first"], ["other"]])(
    "is %s where it names it, in any order of plugins",
    ([name]) =>
      Effect.gen(function* () {
        for (const indexes of [
          [index("first"), index("other")],
          [index("other"), index("first")],
        ]) {
          const { pipeline } = yield* flow(`index: ${name}`, indexes)
          const { result } = yield* collect(pipeline, {})
          assert.deepStrictEqual(result.outputs, { found: name! })
        }
      }),
  )

  it.live("is the only one where it names none", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* flow("", [index("first")])
      const { result } = yield* collect(pipeline, {})
      assert.deepStrictEqual(result.outputs, { found: "first" })
    }),
  )

  it.live("has to be named where there are several", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(flow("", [index("first"), index("other")]))
      assert.include(
        String((failure as Error).message),
        "the plugins have several indexes: first, other",
      )
    }),
  )
})
