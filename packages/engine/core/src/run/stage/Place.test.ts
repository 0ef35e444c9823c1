import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { stageKind, StageFailed, type RunEvent, type ToolSource } from "@planloom/plugin/effect"
import { workflowOf } from "../../../test/inline.ts"
import { run } from "../run.ts"
import { recordingJournal, emptyRecording } from "../journal/journals.ts"
import type { Place } from "./Place.ts"

const calls = stageKind<object>({
  id: "calls",
  summary: "Calls a tool.",
  input: { type: "object" },
  output: true,
  run: (_, { callTool }) => callTool({ tool: "look", params: {}, key: "one" }),
})

const shop: ToolSource = {
  id: "shop",
  summary: "One tool.",
  list: Effect.succeed({
    tools: [
      { name: "look", summary: "Looks.", capabilities: [], inputs: {}, params: true, outputs: [] },
    ],
  }),
  call: () => Effect.succeed({ value: "seen" }),
}

const never = stageKind<object>({
  id: "never",
  summary: "Does not end.",
  input: { type: "object" },
  output: true,
  run: () => Effect.never,
})

describe("the place of a run", () => {
  it.effect(
    "is the stage kind with its plugin, the tool while it is called, and none between",
    () =>
      Effect.gen(function* () {
        const places: Array<string> = []
        const { pipeline } = yield* workflowOf(
          `stages: [{ id: first, uses: echo, with: { value: 1 } }, { id: second, uses: calls }]`,
          { stages: [calls], tools: [shop] },
        )
        yield* run(
          pipeline,
          {},
          {
            journal: recordingJournal(emptyRecording()),
            onPlace: (place: Place | undefined) =>
              places.push(place === undefined ? "none" : `${place.stage} ${place.component}`),
          },
        )
        assert.deepStrictEqual(places, [
          "first test/echo",
          "none",
          "second test/calls",
          "second shop/look",
          "second test/calls",
          "none",
        ])
      }),
  )
})

describe("the failure of a run from outside", () => {
  it.effect("interrupts its stages, fails it, and runs `finally`", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `stages: [{ id: first, uses: never }]\nfinally: [{ id: tidy, uses: echo, with: { value: 1 } }]`,
        { stages: [never] },
      )
      const failure = yield* Deferred.make<never, StageFailed>()
      const events: Array<RunEvent> = []
      const failed = yield* Effect.flip(
        run(
          pipeline,
          {},
          {
            failure: Deferred.await(failure),
            onEvent: (event) => {
              events.push(event)
              if (event.type !== "StageStarted" || event.stage !== "first") return
              const given = new StageFailed({ class: "internal", message: "stray", stage: "first" })
              Deferred.doneUnsafe(failure, Effect.fail(given))
            },
          },
        ),
      )
      assert.strictEqual(failed._tag === "RunFailed" && failed.reason.message, "stray")
      assert.deepInclude(events.at(-1), {
        type: "RunFailed",
        failure: { class: "internal", message: "stray", stage: "first" },
      })
      assert.isTrue(
        events.some((event) => event.type === "StageFinished" && event.stage === "tidy"),
      )
    }),
  )
})
