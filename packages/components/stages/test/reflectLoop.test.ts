/** Loops of plans that are executed and reflected on: random plans, results and replies, on the whole engine. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { cases, seed } from "../../../../.config/cases.ts"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import {
  definePlugin,
  ToolFailed,
  type Json,
  type JsonObject,
  type RunEvent,
  type ToolResult,
  type ToolSource,
} from "@planloom/plugin/effect"
import stages from "../src/index.ts"

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: loops
models: { one: { try: [scripted/one], otherwise: mechanical } }
inputs: { plan: { type: object } }
flags: { rounds: { default: 4, minimum: 1, maximum: 4 } }
stages:
  - id: work
    repeat:
      carry: { plan: "\${{ inputs.plan }}" }
      until: stages.check.output.done
      next: { plan: "\${{ stages.check.output.plan }}" }
      max_iterations: flags.rounds
      on_exhausted: continue
      on_round_error: keep
      on_no_new_call: end
    stages:
      - { id: found, uses: execute, with: { plan: "\${{ iter.plan }}", on_step_error: keep } }
      - id: check
        uses: reflect
        model: one
        with:
          request: What is there?
          plan: "\${{ iter.plan }}"
          results: "\${{ stages.found.output }}"
          round: "\${{ iter.index }}"
          rounds: "\${{ flags.rounds }}"
          relax: { search: [{ limit: { times: 2, at_least: 20 } }, { mode: { set: master } }] }
outputs: { work: "\${{ stages.work.output }}", steps: "\${{ stages.found.output.steps }}" }
`

interface World {
  readonly plan: JsonObject
  readonly replies: ReadonlyArray<Json>
  /** Of the calls, in order. */
  readonly results: ReadonlyArray<"hit" | "empty" | "fail">
}

/** Runs the loop in a world, and gives its calls, what they found, the number of questions and the outputs. */
const runner = Effect.gen(function* () {
  let world: World = { plan: {}, replies: [], results: [] }
  let made = 0
  let hits: Array<Json> = []
  let asked = 0
  const source: ToolSource = {
    id: "tools",
    summary: "Tools.",
    list: Effect.succeed({
      tools: [
        {
          name: "search",
          summary: "Searches.",
          effect: "read" as const,
          capabilities: [],
          inputs: {},
          outputs: [],
          params: {
            type: "object",
            additionalProperties: false,
            required: ["text"],
            properties: {
              text: { type: "string" },
              limit: { type: "integer", minimum: 1, maximum: 50, default: 10 },
              mode: { enum: ["faceted", "master"], default: "faceted" },
            },
          },
        },
      ],
    }),
    call: ({ params }) =>
      Effect.suspend((): Effect.Effect<ToolResult, ToolFailed> => {
        const result = world.results[made++ % world.results.length]
        if (result === "hit") hits.push(params["text"]!)
        return result === "fail"
          ? Effect.fail(new ToolFailed({ tool: "search", class: "tool_error", message: "no" }))
          : Effect.succeed({ value: result === "hit" ? [params["text"] ?? ""] : [] })
      }),
  }
  const plugin = definePlugin({
    id: "test",
    summary: "Test.",
    components: {
      tools: [source],
      providers: [
        {
          id: "scripted",
          summary: "Plays a script.",
          generate: () =>
            Effect.sync(() => ({
              text: JSON.stringify(world.replies[asked++ % world.replies.length]),
              reasoning: "",
              toolCalls: [],
              finish: "stop" as const,
              usage: { input: 1, output: 1 },
            })),
        },
      ],
    },
  })
  const path = join(mkdtempSync(join(tmpdir(), "planloom-reflect-")), "w.yaml")
  writeFileSync(path, workflow)
  const { pipeline } = yield* load(path, { extraPlugins: [stages, plugin] })
  return (next: World) =>
    Effect.gen(function* () {
      world = next
      made = 0
      hits = []
      asked = 0
      const events: Array<RunEvent> = []
      const result = yield* run(
        pipeline,
        { plan: next.plan },
        { onEvent: (event) => events.push(event) },
      )
      const outputs = result.outputs as unknown as {
        readonly work: { readonly iterations: number; readonly stopped: string }
        readonly steps: JsonObject
      }
      const calls = events.flatMap((event) => (event.type === "ToolCalled" ? [event] : []))
      return { asked, calls, hits, outputs }
    })
})

const params = fc.record(
  { text: fc.constantFrom("a", "b", "c"), limit: fc.constantFrom(10, 20) },
  { requiredKeys: ["text"] },
)
const step = fc.record({
  id: fc.constantFrom("s1", "s2", "s3"),
  tool: fc.constant("search"),
  params,
})
const planned = fc.record({
  steps: fc.uniqueArray(step, { selector: ({ id }) => id, minLength: 1, maxLength: 3 }),
})
const reply = fc.oneof(
  fc.record(
    {
      strategy: fc.constantFrom("extend", "relax", "rewrite", "pivot", "none"),
      user_message: fc.constantFrom("I am trying again.", "I call search."),
      plan: planned,
    },
    { requiredKeys: ["strategy"] },
  ),
  fc.record({
    strategy: fc.constant("extend"),
    modifications: fc.array(
      fc.record({
        op: fc.constantFrom("add", "remove", "modify"),
        step: fc.constantFrom("s1", "s2", "s4"),
        rationale: fc.constant("why"),
        tool: fc.constantFrom("search", "nothing"),
        params,
      }),
      { maxLength: 3 },
    ),
  }),
  fc.constant({} as Json),
)

it.effect(
  "no call is made twice, no result is lost, and rounds and questions stay within their bounds",
  () =>
    Effect.gen(function* () {
      const play = yield* runner
      const counts = { again: 0, asked: 0, hits: 0 }
      const worlds = fc.sample(
        fc.record({
          plan: planned,
          replies: fc.array(reply, { minLength: 1, maxLength: 3 }),
          results: fc.array(fc.constantFrom("hit" as const, "empty" as const, "fail" as const), {
            minLength: 1,
            maxLength: 6,
          }),
        }),
        { numRuns: cases(250, 4), seed },
      )
      for (const world of worlds) {
        const seen = yield* play(world as unknown as World)
        const { work } = seen.outputs
        const where = JSON.stringify(world)
        const identities = seen.calls.flatMap(({ from, identity }) =>
          from === undefined && identity !== undefined ? [identity] : [],
        )
        assert.strictEqual(new Set(identities).size, identities.length, where)
        assert.isAtMost(work.iterations, 4, where)
        // A reply that does not fit is asked for once more.
        assert.isAtMost(
          seen.asked,
          2 * (work.iterations - (work.stopped === "done" ? 0 : 1)) + 2,
          where,
        )
        const found = Object.values(seen.outputs.steps).flat()
        for (const text of seen.hits) assert.include(found, text, where)
        counts.hits += seen.hits.length
        counts.again += work.iterations > 1 ? 1 : 0
        counts.asked += seen.asked
      }
      assert.isAbove(counts.again, worlds.length / 4)
      assert.isAbove(counts.asked, worlds.length / 4)
      assert.isAbove(counts.hits, worlds.length / 4)
    }).pipe(Effect.scoped),
  120_000,
)
