import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { stageKind, type RunEvent, type Tool, type ToolSource } from "@planloom/plugin/effect"
import { course } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"
import { run } from "../run.ts"

const slowTool = (log: Array<string>): ToolSource => {
  const tool: Tool = {
    name: "slow",
    summary: "Never comes back.",
    capabilities: [],
    inputs: {},
    params: { type: "object", additionalProperties: false },
    outputs: [],
  }
  return {
    id: "slow_tools",
    summary: "Slow.",
    list: Effect.succeed({ tools: [tool] }),
    call: () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => log.push("tool"))),
  }
}

const holding = (log: Array<string>) =>
  stageKind<{ readonly name: string }>({
    id: "holding",
    summary: "Opens something and waits.",
    input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    output: true,
    run: ({ name }, context) =>
      Effect.gen(function* () {
        yield* Effect.acquireRelease(
          Effect.sync(() => log.push(`open ${name}`)),
          () => Effect.sync(() => log.push(`close ${name}`)),
        )
        return yield* context.callTool({ tool: "slow", params: {}, key: "1" })
      }).pipe(Effect.scoped),
  })

describe("cancelling a run", () => {
  it.effect(
    "reaches every stage and tool, closes their scopes, runs finally, and says cancelled",
    () =>
      Effect.gen(function* () {
        const log: Array<string> = []
        const events: Array<RunEvent> = []
        const { pipeline } = yield* workflowOf(
          `
stages:
  - { id: a, uses: holding, needs: [], with: { name: a } }
  - { id: b, uses: holding, needs: [], with: { name: b }, timeout: 1h }
finally: [{ id: tidy, uses: echo, with: { value: "\${{ outcome }}" } }]
`,
          { stages: [holding(log)], tools: [slowTool(log)] },
        )
        const fiber = yield* Effect.forkChild(
          run(pipeline, {}, { onEvent: (event) => void events.push(event) }),
        )
        yield* TestClock.adjust("1 second")
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(log.slice(0, 2).toSorted(), ["open a", "open b"])
        assert.deepStrictEqual(log.slice(2).toSorted(), ["close a", "close b", "tool", "tool"])
        assert.deepStrictEqual(course(events).slice(-3), [
          "StageStarted tidy",
          "StageFinished tidy",
          "RunCancelled",
        ])
        const tidy = events.find(
          (event) => event.type === "StageFinished" && event.stage === "tidy",
        )
        assert.strictEqual(tidy?.type === "StageFinished" ? tidy.output : undefined, "cancelled")
      }),
  )

  it.effect("closes a stage's scope after success and after failure too", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const kind = stageKind<{ readonly fail: boolean }>({
        id: "scoped",
        summary: "Opens and closes.",
        input: { type: "object", properties: { fail: { type: "boolean" } }, required: ["fail"] },
        output: true,
        run: ({ fail }) =>
          Effect.gen(function* () {
            yield* Effect.acquireRelease(
              Effect.sync(() => log.push("open")),
              () => Effect.sync(() => log.push("close")),
            )
            if (fail) throw new Error("broken")
            return "done"
          }).pipe(Effect.scoped),
      })
      const { pipeline } = yield* workflowOf(
        `
stages:
  - { id: a, uses: scoped, with: { fail: false } }
  - { id: b, uses: scoped, with: { fail: true }, on_error: continue }
  - { id: c, uses: echo, with: { value: 1 } }
`,
        { stages: [kind] },
      )
      yield* run(pipeline, {})
      assert.deepStrictEqual(log, ["open", "close", "open", "close"])
    }),
  )
})
