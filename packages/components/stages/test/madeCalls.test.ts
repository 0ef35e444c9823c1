/** Calls that a run has made answer equal ones: none is made twice without a reason, and no read is answered from before a write. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import {
  definePlugin,
  ToolFailed,
  type FailureClass,
  type Json,
  type JsonObject,
  type RunEvent,
  type Tool,
  type ToolSource,
} from "@planloom/plugin/effect"
import { cases } from "../../../../.config/cases.ts"
import stages from "../src/index.ts"

const sources = ["red", "blue"] as const
type Source = (typeof sources)[number]

const passing: ReadonlySet<FailureClass> = new Set([
  "rate_limit",
  "overloaded",
  "timeout",
  "unavailable",
])

const toolOf = (name: string, more: Partial<Tool>): Tool => ({
  name,
  summary: name,
  capabilities: [],
  inputs: {},
  outputs: [],
  params: {
    type: "object",
    additionalProperties: false,
    required: ["of"],
    properties: {
      of: { enum: ["uniswap_v3", "sushi_v2"] },
      since: { type: "integer", default: 30 },
      size: { type: "integer" },
    },
  },
  ...more,
})

/** A call as its tool sees it. */
interface Seen {
  readonly tool: string
  readonly source: Source
  readonly writes: boolean
  /** Equal for equal calls. */
  readonly params: string
  /** Path of the stage, with the round; of the step. */
  readonly key: string
  readonly attempt: number
  /** Positions among all beginnings and ends. */
  readonly began: number
  ended: number
  failure: FailureClass | undefined
}

interface World {
  seen: Array<Seen>
  time: number
  attempt: number
  /** Failures of the next calls, in order. */
  failures: Array<FailureClass | "none">
  /** By source: how many writes have taken effect. */
  writes: { [source in Source]: number }
}

let world: World

const sourceOf = (source: Source): ToolSource => ({
  id: source,
  summary: source,
  list: Effect.succeed({
    tools: [
      toolOf(`${source}.read`, { effect: "read" }),
      toolOf(`${source}.clock`, { effect: "read", reuse: "never" }),
      toolOf(`${source}.write`, {}),
    ],
  }),
  call: ({ key, params, tool }) =>
    Effect.gen(function* () {
      const { seen } = world
      const writes = tool.endsWith("write")
      const { of, since = 30, size } = params
      const call: Seen = {
        tool,
        source,
        writes,
        params: JSON.stringify([of, since, size ?? null]),
        key: key.replace(/^[^/]*\//, ""),
        attempt: world.attempt,
        began: world.time++,
        ended: Infinity,
        failure: undefined,
      }
      seen.push(call)
      const version = world.writes[source]
      yield* Effect.yieldNow
      yield* Effect.yieldNow
      const failure = world.failures.shift() ?? "none"
      call.ended = world.time++
      // Also one that then fails.
      if (writes) world.writes[source]++
      if (failure !== "none") {
        call.failure = failure
        return yield* new ToolFailed({ tool, class: failure, message: "no" })
      }
      return { value: `${source} ${version}` }
    }),
})

const catalog = `apiVersion: planloom/v1
kind: Catalog
tools:
${sources
  .flatMap((source) => ["read", "clock", "write"].map((name) => `${source}.${name}`))
  .map(
    (name) => `  - name: ${name}
    summary: ${name}
    normalize: { of: "params.of == 'uni v3' ? 'uniswap_v3' : params.of" }
    defaults: { size: "inputs.size" }`,
  )
  .join("\n")}
`

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: made
use: { files: [tools.yaml] }
inputs: { plans: { type: array, items: { type: object } }, size: { type: integer, default: 7 } }
policies:
  retry:
    again: { max_retries: 2, delay: 0s, jitter: false, on: [rate_limit, overloaded, timeout, unavailable] }
stages:
  - id: rounds
    repeat:
      carry: { at: 0 }
      next: { at: "\${{ iter.at + 1 }}" }
      until: iter.at + 1 >= size(inputs.plans)
      max_iterations: 3
    stages:
      - id: work
        uses: execute
        retry: again
        on_error: continue
        with:
          source: null
          max_parallel: 3
          on_step_error: "\${{ inputs.plans[iter.at].on_step_error }}"
          plan: "\${{ {'steps': inputs.plans[iter.at].steps} }}"
`

const step = fc.record({
  tool: fc.tuple(
    fc.constantFrom(...sources),
    fc.constantFrom("read", "read", "read", "clock", "write"),
  ),
  of: fc.constantFrom("uniswap_v3", "uni v3", "uniswap_v3", "sushi_v2"),
  since: fc.constantFrom(undefined, 30, "30", undefined, 5),
  size: fc.constantFrom(undefined, undefined, 7, 9),
  fresh: fc.constantFrom(false, false, false, true),
  /** Of the steps before it. */
  needs: fc.array(fc.nat(), { maxLength: 2 }),
})

const plan = fc.record({
  on_step_error: fc.constantFrom("fail", "keep"),
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
})

const failures = fc.array(
  fc.constantFrom<FailureClass | "none">(
    "none",
    "none",
    "none",
    "unavailable",
    "rate_limit",
    "tool_error",
  ),
  { maxLength: 12 },
)

type Drawn = typeof plan extends fc.Arbitrary<infer A> ? A : never

const planOf = ({ on_step_error, steps }: Drawn): JsonObject => ({
  on_step_error,
  steps: steps.map(({ fresh, needs, of, since, size, tool }, at): Json => ({
    id: `s${at}`,
    tool: tool.join("."),
    inputs: {},
    params: {
      of,
      ...(since === undefined ? {} : { since }),
      ...(size === undefined ? {} : { size }),
    },
    needs: at === 0 ? [] : [...new Set(needs.map((one) => `s${one % at}`))],
    satisfies: [],
    ...(fresh ? { fresh } : {}),
  })),
})

/** `rounds[0]/work/tool:s1` is step 1 of round 0. */
const stepAt = (key: string, plans: ReadonlyArray<Drawn>) => {
  const [, round, at] = /\[(\d+)\]\/work\/tool:s(\d+)$/.exec(key)!
  return { round: Number(round), step: plans[Number(round)]!.steps[Number(at)]! }
}

/** Permits a call although an equal one was made before it. */
const mayRepeat = (first: Seen, second: Seen, plans: ReadonlyArray<Drawn>): boolean => {
  const own = stepAt(second.key, plans)
  const isRetry = stepAt(first.key, plans).round === own.round && first.attempt < second.attempt
  // The engine repeats no write on its own.
  if (second.writes && isRetry && first.key === second.key) return false
  if (own.step.fresh || second.tool.endsWith("clock")) return true
  const isChanged = world.seen.some(
    (one) =>
      one.writes &&
      one.source === first.source &&
      one !== first &&
      one !== second &&
      one.ended > first.began &&
      one.began < second.began,
  )
  if (isChanged) return true
  return !second.writes && isRetry && first.failure !== undefined && passing.has(first.failure)
}

it("random plans make no call twice without a reason, and read nothing from before a write", async () => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-made-"))
  writeFileSync(join(folder, "tools.yaml"), catalog)
  writeFileSync(join(folder, "w.yaml"), workflow)
  const plugin = definePlugin({
    id: "test",
    summary: "Test.",
    components: { tools: sources.map(sourceOf) },
  })
  const count = { plans: 0, informative: 0, steps: 0, made: 0, answered: 0, writes: 0, failures: 0 }
  await Effect.gen(function* () {
    const { pipeline } = yield* load(join(folder, "w.yaml"), { extraPlugins: [stages, plugin] })
    const property = fc.asyncProperty(
      fc.array(plan, { minLength: 1, maxLength: 3 }),
      failures,
      async (plans, drawn) => {
        world = { seen: [], time: 0, attempt: 1, failures: [...drawn], writes: { red: 0, blue: 0 } }
        const stale: Array<string> = []
        const onEvent = (event: RunEvent): void => {
          if (event.type === "AttemptFailed") world.attempt = event.attempt + 1
          if (event.type === "StageStarted" && event.stage === "work") world.attempt = 1
          if (event.type !== "ToolCalled" || event.from !== "made") return
          count.answered++
          const [source, version] = event.summary.split(" ") as [Source, string]
          if (event.tool.endsWith("write") || event.failure !== undefined) return
          if (Number(version) !== world.writes[source]) stale.push(`${event.path} ${event.key}`)
        }
        await Effect.runPromise(run(pipeline, { plans: plans.map(planOf) }, { onEvent }))
        const repeated = world.seen.flatMap((second, at) => {
          const first = world.seen.slice(0, at).findLast(
            (one) =>
              one.tool === second.tool &&
              one.params === second.params &&
              // A read that the failure of another step has broken off has no result.
              (one.writes || one.ended < Infinity),
          )
          if (first === undefined || mayRepeat(first, second, plans)) return []
          return [`${first.tool} ${first.params}: ${first.key} and ${second.key}`]
        })
        expect({ repeated, stale }).toEqual({ repeated: [], stale: [] })
        // Each step of a write is made once, however often its stage is retried.
        const writes = world.seen.filter((one) => one.writes).map(({ key }) => key)
        expect(writes).toEqual([...new Set(writes)])
        count.plans += plans.length
        count.made += world.seen.length
        count.writes += writes.length
        count.failures += world.seen.filter(({ failure }) => failure !== undefined).length
        for (const { steps } of plans) {
          count.steps += steps.length
          const isInformative = steps.some(
            ({ of, since, size, tool }, index) =>
              tool[1] === "write" ||
              of === "uni v3" ||
              since === undefined ||
              size === undefined ||
              steps.slice(0, index).some((one) => one.tool.join() === tool.join()),
          )
          if (isInformative) count.informative++
        }
      },
    )
    yield* Effect.promise(() => fc.assert(property, { numRuns: cases(500, 6) }))
  }).pipe(Effect.scoped, Effect.runPromise)
  process.stdout.write(`${JSON.stringify(count)}\n`)
  // At least a third of them has an alias, a default, a write, or a call of a tool that another step calls.
  expect(count.informative * 3).toBeGreaterThan(count.plans)
  expect(count.answered).toBeGreaterThan(count.plans / 3)
})
