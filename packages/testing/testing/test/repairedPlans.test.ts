/** Executing a repaired plan is executing the corrected plan: on real tools, by what the record says. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { Effect, Exit, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Plan, Repair, Step } from "@planloom/planning"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { closeSessions } from "@planloom/tools-data"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import type { LoadedWorkflow } from "@planloom/core"
import { cases } from "../../../../.config/cases.ts"

const folder = mkdtempSync(join(tmpdir(), "repaired-"))
const data = join(folder, "sales.csv")
const table = [
  "region,product_category,revenue,units,returns",
  ...["Europe", "Asia Pacific", "Africa"].flatMap((region, at) =>
    ["Toys", "Home"].map(
      (category, no) => `${region},${category},${at * 7.5 + no},${no + 3},${at}`,
    ),
  ),
].join("\n")
const scope = Scope.makeUnsafe()
let loaded: LoadedWorkflow

/** Nothing but a plan, executed. */
const workflow = {
  apiVersion: "planloom/v1",
  kind: "Workflow",
  name: "executed",
  use: { plugins: ["@planloom/stages", "@planloom/tools-data"] },
  inputs: { plan: { type: "object" }, data: { type: "string" } },
  stages: [
    {
      id: "profile",
      uses: "call",
      with: { tool: "describe", params: { path: "${{ inputs.data }}" } },
    },
    {
      id: "results",
      uses: "execute",
      with: {
        plan: "${{ inputs.plan }}",
        source: "${{ stages.profile.output.table }}",
        on_step_error: "keep",
      },
    },
  ],
  outputs: { results: { value: "${{ stages.results.output }}" } },
}

beforeAll(async () => {
  const file = join(folder, "executed.yaml")
  writeFileSync(data, table)
  writeFileSync(file, JSON.stringify(workflow))
  const plugins = {
    "@planloom/stages": async () => (await import("@planloom/stages")).default,
    "@planloom/tools-data": async () => (await import("@planloom/tools-data")).default,
  }
  loaded = await Effect.runPromise(Scope.provide(load(file, { plugins }), scope))
})

afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  closeSessions()
  rmSync(folder, { recursive: true, force: true })
})

type StepRepair = Repair & { readonly step: string }

interface Executed {
  /** As noted while it ran, in that order. */
  readonly repairs: ReadonlyArray<StepRepair>
  /** All but the repairs, or why nothing came of it. */
  readonly results: Json
}

const execute = async (plan: Plan): Promise<Executed> => {
  const repairs: Array<StepRepair> = []
  const ended = run(
    loaded.pipeline,
    { plan: plan as unknown as JsonObject, data },
    {
      workspace: folder,
      onEvent: (event) => {
        if (event.type === "Noted" && event.note === "repair") {
          repairs.push(event.data as unknown as StepRepair)
        }
      },
    },
  ).pipe(
    Effect.map(({ outputs }) => outputs["results"] as JsonObject),
    Effect.catchTag("RunFailed", ({ message }) => Effect.succeed({ failed: message })),
    Effect.orDie,
  )
  const { repairs: told, ...results }: JsonObject = await Effect.runPromise(ended)
  if (told !== undefined) assert.sameDeepMembers(told as unknown as Array<StepRepair>, repairs)
  return { repairs, results }
}

/** One correction as somebody makes it who reads the record: at the place, from this, to that. */
const corrected = (step: Step, { from, path, rule, to }: StepRepair): Step => {
  const copy = structuredClone(step) as unknown as Record<string, Json>
  const keys = path.split(".")
  const last = keys.pop() as string
  const holder = keys.reduce((at, key) => at[key] as Record<string, Json>, copy)
  if (rule === "rename_param" || rule === "input_name") {
    holder[String(to)] = holder[String(from)] as Json
    delete holder[String(from)]
  } else {
    assert.deepEqual(holder[last] ?? null, from, `${path} was what the record says`)
    if (rule === "drop_param") delete holder[last]
    else holder[last] = to
  }
  return copy as unknown as Step
}

const byHand = (plan: Plan, repairs: ReadonlyArray<StepRepair>): Plan => ({
  steps: plan.steps.map((step) =>
    repairs.filter((one) => one.step === step.id).reduce(corrected, step),
  ),
})

const measure = fc.constantFrom("revenue", "units", "returns")
const group = fc.constantFrom("region", "product_category")

/** Filter, aggregate, rank: a plan without a fault. */
const soundPlan: fc.Arbitrary<Plan> = fc
  .record({
    metrics: fc.uniqueArray(measure, { minLength: 1 }),
    groups: fc.uniqueArray(group, { minLength: 1 }),
    agg: fc.constantFrom("sum", "avg", "max", "count_distinct"),
    region: fc.constantFrom("Europe", "Asia Pacific"),
    limit: fc.integer({ min: 1, max: 5 }),
    order: fc.constantFrom("asc", "desc"),
  })
  .map(({ agg, groups, limit, metrics, order, region }) => ({
    steps: [
      {
        id: "filtered",
        tool: "filter",
        inputs: { table: "source" },
        params: { filters: [{ column: "region", op: "!=", value: region }] },
        satisfies: [],
      },
      {
        id: "grouped",
        tool: "aggregate",
        inputs: { table: "filtered" },
        params: { metrics, group_by: groups, agg },
        satisfies: [],
      },
      {
        id: "ranked",
        tool: "top_n",
        inputs: { table: "grouped" },
        params: { order_by: metrics[0] as string, limit, order },
        satisfies: [],
      },
    ],
  }))

/** A name as somebody in a hurry writes it: two letters swapped, another case, one letter too many. */
const misspelled = fc.constantFrom(
  (name: string) => name.slice(0, 2) + (name[3] ?? "") + (name[2] ?? "") + name.slice(4),
  (name: string) => name.toUpperCase(),
  (name: string) => `${name}s`,
)

type Slip = (step: Step) => Step

const inParams =
  (change: (params: JsonObject) => JsonObject): Slip =>
  (step) => ({
    ...step,
    params: change(step.params),
  })

const renamed = (object: JsonObject, from: string, to: string): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key === from ? to : key, value] as const),
  )

const mapValue =
  (change: (value: Json) => Json) =>
  (key: string): Slip =>
    inParams((params) =>
      Object.hasOwn(params, key) ? { ...params, [key]: change(params[key] as Json) } : params,
    )

const keys = fc.constantFrom("metrics", "group_by", "agg", "limit", "order", "filters", "order_by")

const slip: fc.Arbitrary<Slip> = fc.oneof(
  fc
    .tuple(keys, misspelled)
    .map(([key, misspell]) => inParams((params) => renamed(params, key, misspell(key)))),
  fc.tuple(keys, misspelled).map(([key, misspell]) =>
    mapValue((value) => {
      if (typeof value === "string") return misspell(value)
      return Array.isArray(value)
        ? value.map((one: Json) => (typeof one === "string" ? misspell(one) : one))
        : value
    })(key),
  ),
  keys.map(mapValue((value) => (Array.isArray(value) && value.length === 1 ? value[0]! : [value]))),
  keys.map(mapValue((value) => (typeof value === "number" ? String(value) : value))),
  keys.map(mapValue(() => null)),
  fc.constant(inParams((params) => ({ ...params, colour: "red" }))),
  fc.constant(
    inParams((params) => ({ ...renamed(params, "metrics", "METRICS"), Metrics: ["units"] })),
  ),
  misspelled.map((misspell): Slip => (step) => ({
    ...step,
    inputs: Object.fromEntries(Object.entries(step.inputs).map(([k, v]) => [misspell(k), v])),
  })),
  misspelled.map((misspell): Slip => (step) => ({
    ...step,
    inputs: Object.fromEntries(Object.entries(step.inputs).map(([k, v]) => [k, misspell(v)])),
  })),
  fc.constant<Slip>((step) => ({ ...step, inputs: {} })),
)

const slipped = fc
  .tuple(soundPlan, fc.array(fc.tuple(fc.nat({ max: 2 }), slip), { maxLength: 5 }))
  .map(([plan, slips]): Plan => ({
    steps: plan.steps.map((step, at) =>
      slips.filter(([where]) => where === at).reduce((one, [, make]) => make(one), step),
    ),
  }))

describe("executing a plan that needs repairs", () => {
  it("does what executing it does once it is corrected by hand, as the record says", async () => {
    let repaired = 0
    const plans = cases(20, 3)
    await fc.assert(
      fc.asyncProperty(slipped, async (plan) => {
        const first = await execute(plan)
        const again = await execute(byHand(plan, first.repairs))
        assert.deepEqual(again.repairs, [], "nothing is left to mend")
        assert.deepEqual(again.results, first.results)
        if (first.repairs.length > 0) repaired += 1
      }),
      { numRuns: plans },
    )
    assert.isAbove(repaired, plans / 3, "most of these plans need repairs")
  })

  it("never touches a plan without a fault", async () => {
    await fc.assert(
      fc.asyncProperty(soundPlan, async (plan) => {
        const { repairs, results } = await execute(plan)
        assert.deepEqual(repairs, [])
        assert.deepEqual((results as JsonObject)["failed"], [])
      }),
      { numRuns: cases(10, 2) },
    )
  })
})
