/** The worst case of a dry run against runs whose models ask as often as they may. */
import type { Work } from "@planloom/estimate"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import { acts } from "./plan/acts.ts"
import { randomWorkflow } from "./plan/randomWorkflow.ts"
import { plannedFor, spentBy, type Spent } from "./plan/world.ts"

/** Rounding of sums of prices. */
const CENT = 1e-9

const exceeded = (planned: Work, spent: Spent): string | undefined => {
  const { calls, cost, refusals, tokens, toolCalls } = planned
  if (spent.calls > calls.most) return `${spent.calls} calls of ${calls.most}`
  if (spent.tokens > tokens.most) return `${spent.tokens} tokens of ${tokens.most}`
  if (cost !== undefined && spent.cost > cost.most + CENT) return `$${spent.cost} of ${cost.most}`
  if (spent.refused > refusals.most) return `${spent.refused} refused of ${refusals.most}`
  if (spent.toolCalls > toolCalls.most) return `${spent.toolCalls} tool calls of ${toolCalls.most}`
  return undefined
}

interface Case {
  readonly name: string
  readonly calls: number
  readonly stage: object
  /** A stage before it. */
  readonly before?: object
  readonly alias?: object
  readonly workflow?: object
  readonly turns?: number
}

const say = { uses: "generate", with: { task: "Say it." } }
const data = {
  uses: "generate",
  with: {
    task: "Count it.",
    schema: { type: "object", required: ["n"], properties: { n: { type: "integer" } } },
  },
}
const claude = "anthropic/claude-haiku-4-5"
const gemini = "google/gemini-3.1-pro-preview"
const both = { try: ["openai/gpt-5-mini", claude] }
const said = { said: { type: "string", value: "${{ stages.s.output.text }}" } }
const retry = { max_retries: 2, delay: "1ms", on: ["unavailable", "invalid_output"] }

const agent = (limits: object) => ({
  uses: "agent",
  with: { task: "Look.", tools: ["ping"], ...limits },
})

const askers: ReadonlyArray<Case> = [
  { name: "an agent has six turns", calls: 6, stage: agent({ max_turns: 6 }) },
  { name: "an agent has the default of turns", calls: 8, stage: agent({}) },
  {
    name: "each turn of an agent has two models",
    calls: 6,
    stage: agent({ max_turns: 3 }),
    alias: both,
  },
  { name: "a reply is continued", calls: 5, stage: say, alias: { on_cut: "continue" } },
  { name: "a reply is repaired", calls: 2, stage: data },
  { name: "a reply of the second model is repaired", calls: 3, stage: data, alias: both },
  { name: "a stage is retried", calls: 6, stage: { ...data, retry } },
  {
    name: "two reviewers read a reply before and after it leaves",
    calls: 5,
    stage: { ...say, shadow: { gate: ["quality_gate"], async: ["tone_analyzer"] } },
    workflow: { outputs: said },
  },
  {
    name: "a reviewer writes a reply anew",
    calls: 3,
    stage: { ...say, shadow: { gate: ["rewriter"] } },
  },
  { name: "a fallback follows", calls: 3, stage: { ...data, fallback: say } },
  {
    name: "a workflow is nested",
    calls: 3,
    stage: { uses: "workflow", with: { path: "./inner.yaml" } },
  },
  {
    name: "a list has two items",
    calls: 4,
    stage: { ...data, for_each: { in: "inputs.list", max_parallel: 2 } },
  },
  {
    name: "a list of another stage has three items",
    calls: 6,
    stage: { ...data, for_each: { in: "stages.made.output.list", max_parallel: 2 } },
    before: { id: "made", uses: "set", with: { value: { list: [1, 2, "${{ inputs.topic }}"] } } },
  },
  {
    name: "an assertion asks for reruns",
    calls: 3,
    stage: {
      ...say,
      assert: [{ that: 'inputs.topic == "never"', on_fail: { rerun: "s", max_reruns: 2 } }],
      on_error: "continue",
    },
  },
  {
    name: "a tool asks",
    calls: 2,
    stage: { uses: "call", with: { tool: "think", params: { text: "x" } } },
  },
  {
    name: "calls are planned natively",
    calls: 1,
    stage: { uses: "plan", with: { request: "Look.", calling: "native" } },
  },
  {
    name: "a plan as JSON is repaired",
    calls: 2,
    stage: { uses: "plan", with: { request: "Look.", calling: "json" } },
  },
  {
    name: "a plan is asked for natively, because the facts on both models list tools",
    calls: 2,
    stage: { uses: "plan", with: { request: "Look." } },
    alias: both,
  },
  {
    name: "a reflection is repaired",
    calls: 2,
    stage: {
      uses: "reflect",
      with: {
        request: "Look.",
        plan: { steps: [{ id: "a", tool: "ping", params: { text: "x" } }] },
        results: { steps: {}, calls: [{ step: "a", tool: "ping", ok: false, error: "no" }] },
      },
    },
  },
  {
    name: "the older turns of a session are summarized",
    calls: 2,
    stage: say,
    turns: 4,
    workflow: {
      outputs: said,
      session: {
        window: 1,
        request: "${{ inputs.topic }}",
        assistant: "${{ stages.s.output.text }}",
        compact: { after: 2, by: "model", model: "a", max_tokens: 60 },
      },
    },
  },
]

/** One stage with one alias. */
const workflowOf = (
  stage: object,
  { alias, before, workflow }: Pick<Case, "alias" | "before" | "workflow">,
): string =>
  JSON.stringify({
    apiVersion: "planloom/v1",
    kind: "Workflow",
    name: "one",
    models: { a: { try: [claude], max_tokens: 80, ...alias } },
    defaults: { model: "a" },
    inputs: {
      topic: { type: "string", default: "leaves" },
      list: { type: "array", items: { type: "integer" }, default: [1, 2] },
    },
    stages: [...(before === undefined ? [] : [before]), { id: "s", ...stage }],
    outputs: {},
    ...workflow,
  })

describe("the worst case of a dry run", () => {
  it("is never exceeded by models that ask as often as they may", async () => {
    const shares = { workflows: 0, finite: 0, tokens: 0, half: 0, halfTokens: 0 }
    await fc.assert(
      fc.asyncProperty(randomWorkflow, fc.nat(), async ({ body }, seed) => {
        const planned = await plannedFor(body)
        shares.workflows++
        let most = 0
        let mostTokens = 0
        for (const act of acts(seed, body)) {
          const spent = await spentBy(body, act)
          most = Math.max(most, spent.calls)
          mostTokens = Math.max(mostTokens, spent.tokens)
          expect(exceeded(planned, spent)).toBeUndefined()
          expect(spent.calls).toBeGreaterThanOrEqual(spent.requests)
        }
        if (Number.isFinite(planned.calls.most)) {
          shares.finite++
          if (2 * most >= planned.calls.most) shares.half++
        }
        if (Number.isFinite(planned.tokens.most)) shares.tokens++
        if (2 * mostTokens >= planned.tokens.least) shares.halfTokens++
      }),
      { numRuns: cases(10, 10), endOnFailure: true },
    )
    process.stdout.write(`${JSON.stringify(shares)}\n`)
    // Of few workflows a share says little.
    if (shares.workflows < 100) return
    expect(shares.half / shares.finite).toBeGreaterThanOrEqual(0.7)
  }, 600_000)

  it("is a number for nine of ten workflows, whatever the seed", async () => {
    const { seed = 1 } = fc.readConfigureGlobal()
    const shares = []
    for (const one of [seed, seed + 1, seed + 2, seed + 3]) {
      const workflows = fc.sample(randomWorkflow, { seed: one, numRuns: cases(50) })
      let finite = 0
      for (const { body } of workflows) {
        const { calls } = await plannedFor(body)
        if (Number.isFinite(calls.most)) finite++
      }
      shares.push(finite / workflows.length)
    }
    process.stdout.write(`${JSON.stringify({ finite: shares })}\n`)
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    expect(mean).toBeGreaterThanOrEqual(0.9)
  }, 600_000)

  it("is not needed to keep a budget: no request is sent beyond it, whatever is paused", async () => {
    const budget = fc.oneof(
      fc.record({ model_calls: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ tokens: fc.integer({ min: 50, max: 4000 }) }),
    )
    await fc.assert(
      fc.asyncProperty(randomWorkflow, budget, fc.nat(), async ({ body }, limit, seed) => {
        const limited = JSON.stringify({ ...JSON.parse(body), policies: { budget: limit } })
        const pausing = acts(seed, body).filter(({ pauses }) => pauses !== undefined)
        for (const act of pausing.slice(-4)) {
          const spent = await spentBy(limited, act)
          if ("model_calls" in limit) {
            expect(spent.calls).toBeLessThanOrEqual(limit.model_calls)
            expect(spent.requests).toBeLessThanOrEqual(limit.model_calls)
          } else expect(spent.tokens).toBeLessThan(limit.tokens + spent.largest)
        }
      }),
      { numRuns: cases(6), endOnFailure: true },
    )
  }, 600_000)

  it.each([
    ["a reply", { try: [gemini] }, say, 5],
    ["a reply of the second model", { try: [claude, gemini] }, say, 6],
    ["each turn of an agent", { try: [gemini] }, agent({ max_turns: 3 }), 15],
    ["a reply and its repair", { try: [gemini] }, data, 10],
    ["each continuation of a cut reply", { try: [gemini], on_cut: "continue" }, say, 25],
  ])("is reached where a service pauses %s", async (_, alias, stage, calls) => {
    const body = workflowOf(stage, { alias })
    const planned = await plannedFor(body)
    let most = 0
    for (const act of acts(1, body)) {
      const spent = await spentBy(body, act)
      expect(exceeded(planned, spent)).toBeUndefined()
      most = Math.max(most, spent.requests)
    }
    expect(planned.calls.most).toBe(calls)
    expect(most).toBe(calls)
  })

  it("has no limit for a list of a stage that may be skipped", async () => {
    const { stages, ...rest } = JSON.parse(workflowOf(say, {}))
    const list = "has(stages.some.output) ? stages.some.output : []"
    const some = { id: "some", if: 'run.id != ""', uses: "set", with: { value: [1, 2] } }
    const body = { ...rest, stages: [some, { ...stages[0], for_each: { in: list } }] }
    const planned = await plannedFor(JSON.stringify(body))
    expect(planned.calls.most).toBe(Infinity)
  })

  it.each([
    ["each query of a search in each library with a reranker", ["ping", "ping me"], {}, 4],
    ["one library", ["ping"], { library: "notes" }, 1],
  ])(
    "counts a call of the reranker for %s, and there may be none",
    async (_, queries, more, most) => {
      const libraries = Object.fromEntries(
        ["notes", "papers"].map((name) => [name, { folder: `./${name}`, rerank: "length" }]),
      )
      const body = workflowOf(
        { uses: "search", with: { queries, ...more } },
        { workflow: { libraries } },
      )
      const planned = await plannedFor(body)
      expect(planned.calls).toEqual({ least: 0, most: 2 * queries.length })
      expect(planned.tokens.most).toBe(Infinity)
      expect(planned.cost).toBeUndefined()
      const spent = await spentBy(body, () => "good")
      expect(spent.calls).toBe(most)
      expect(exceeded(planned, spent)).toBeUndefined()
    },
  )

  it("has no limit of calls for a library with an embedder, whose passages may have to be embedded", async () => {
    const libraries = { notes: { folder: "./notes", embedder: "letters" } }
    const body = workflowOf(
      { uses: "search", with: { queries: ["ping"] } },
      { workflow: { libraries } },
    )
    expect((await plannedFor(body)).calls).toEqual({ least: 0, most: Infinity })
    expect((await spentBy(body, () => "good")).calls).toBeGreaterThan(0)
  })

  it.each(askers)("is reached where $name", async ({ calls, stage, turns, ...more }) => {
    const body = workflowOf(stage, more)
    const planned = await plannedFor(body)
    expect(planned.calls).toEqual({ least: calls, most: calls })
    let most = 0
    for (const act of acts(1, body)) {
      const spent = await spentBy(body, act, turns)
      expect(exceeded(planned, spent)).toBeUndefined()
      most = Math.max(most, spent.calls)
    }
    expect(most).toBe(calls)
  })
})
