/** A run's budget covers all its attempts and resumes. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { StageFailed, definePlugin, stageKind, type Tool } from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import { giveAnswer, resume } from "@planloom/record"
import { newFile, newFolder, storeAt } from "./store.ts"

const tool: Tool = {
  name: "act",
  summary: "Acts.",
  capabilities: [],
  inputs: {},
  params: true,
  outputs: [],
  // A further attempt makes its calls again.
  effect: "read",
  reuse: "never",
}

const anything = { type: "object", additionalProperties: true }

const plugin = definePlugin({
  id: "test",
  summary: "Acts, asks, and fails the first time.",
  components: {
    stages: [
      stageKind<{ readonly times: number; readonly ask?: boolean; readonly fails?: boolean }>({
        id: "acts",
        summary: "Acts so many times.",
        input: anything,
        output: true,
        run: ({ ask, fails, times }, context) =>
          Effect.gen(function* () {
            for (let n = 0; n < times; n++) {
              yield* context.callTool({ tool: "act", params: {}, key: String(n) })
            }
            if (fails === true && context.attempt === 1) {
              return yield* new StageFailed({ class: "unavailable", message: "not yet" })
            }
            if (ask === true) yield* context.ask({ message: "Go on?" })
            return times
          }),
      }),
    ],
    tools: [
      {
        id: "acts",
        summary: "Acts.",
        list: Effect.succeed({ tools: [tool] }),
        call: () => Effect.succeed({ value: null }),
      },
    ],
  },
})

/** Five calls before the question, two of them attempts of one call, two in the asking attempt; then `after`. */
const pipelineFor = (limit: number, after: number) => {
  const path = join(newFolder(), "workflow.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: spending
policies:
  budget: { tool_calls: ${limit} }
  retry: { again: { max_retries: 1, delay: 0ms, on: [unavailable] } }
stages:
  - { id: a, uses: acts, with: { times: 1 } }
  - { id: b, uses: acts, retry: again, with: { times: 2, fails: true } }
  - { id: c, uses: acts, with: { times: 2, ask: true } }
  - { id: d, uses: acts, with: { times: ${after} } }
`,
  )
  return Effect.map(load(path, { extraPlugins: [plugin] }), ({ pipeline }) => pipeline)
}

describe("a budget of a resumed run", () => {
  for (const [limit, after, ends] of [
    [10, 3, "succeeded"],
    [10, 4, "failed"],
    [7, 0, "succeeded"],
  ] as const) {
    it.live(`of ${limit} calls allows 7 before a question and ${after} after it: ${ends}`, () =>
      Effect.gen(function* () {
        const pipeline = yield* pipelineFor(limit, after)
        const store = storeAt(newFile())
        const parked = yield* run(pipeline, {}, { store, run: "r" })
        assert.strictEqual(parked.status, "suspended")
        assert.strictEqual(parked.usage.toolCalls, 7)
        yield* giveAnswer(store, "r", { value: true })
        const { failure, status } = yield* Effect.catchTag(
          resume(pipeline, "r", { store }),
          "RunFailed",
          ({ result }) => Effect.succeed(result),
        )
        assert.strictEqual(status, ends, failure?.message)
        assert.strictEqual(failure?.class, ends === "failed" ? "budget" : undefined)
      }),
    )
  }
})
