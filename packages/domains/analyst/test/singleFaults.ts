/** Valid plans with exactly one injected fault, labelled with the code that must report it. */
import * as fc from "fast-check"
import { SOURCE } from "@planloom/planning"
import type { Plan, Step } from "@planloom/planning"
import type { Tool } from "@planloom/plugin/effect"
import { adaptPlan } from "../src/adapt/adaptPlan.ts"
import type { Requirements } from "../src/requirements/Requirements.ts"
import { listRequirements } from "../src/requirements/listRequirements.ts"
import { drawsChart } from "../src/rules/ToolRoles.ts"
import { coverTablePlan, lintTablePlan } from "../src/rules/checkTablePlan.ts"
import { serves } from "../src/rules/serves.ts"
import { requirements } from "./arbitraries.ts"
import { profile, templates, tools } from "./sales.ts"

export interface Sound {
  readonly plan: Plan
  readonly requirements: Requirements
}

export interface Labelled extends Sound {
  readonly code: string
  /** The faulty step; undefined if the fault is in the plan as a whole. */
  readonly step?: string
}

const toolOf = (step: Step): Tool => tools.find(({ name }) => name === step.tool) as Tool
const change = (plan: Plan, id: string, parts: Partial<Step>): Plan => ({
  steps: plan.steps.map((step) => (step.id === id ? { ...step, ...parts } : step)),
})
const append = (plan: Plan, step: Step): Plan => ({ steps: [...plan.steps, step] })
const reads = (step: Step, id: string) => Object.values(step.inputs).includes(id)
const isRead = (plan: Plan, { id }: Step) => plan.steps.some((step) => reads(step, id))
const requiredOf = (tool: Tool) => (tool.params as { required: ReadonlyArray<string> }).required
const above = (plan: Plan, step: Step): ReadonlyArray<string> => {
  const from = step.inputs.table ?? SOURCE
  const parent = plan.steps.find(({ id }) => id === from)
  return parent === undefined ? [] : [from, ...above(plan, parent)]
}

/** Plans of the planner that pass lint and coverage. */
export const soundPlans = (count: number, seed: number): ReadonlyArray<Sound> =>
  fc.sample(requirements, { numRuns: count, seed }).flatMap((required) => {
    const { plan } = adaptPlan({ templates, tools, requirements: required, profile })
    const sound =
      plan.steps.length > 0 &&
      lintTablePlan(plan, tools, { profile }).length === 0 &&
      coverTablePlan(plan, required, tools).ok
    return sound ? [{ plan, requirements: required }] : []
  })

type Fault = (sound: Sound) => ReadonlyArray<Labelled>

/** One labelled plan for each step the fault can be put into. */
const each =
  (
    code: Labelled["code"],
    put: (step: Step, plan: Plan, sound: Sound) => Plan | undefined,
    who: (step: Step) => string = ({ id }) => id,
  ): Fault =>
  (sound) =>
    sound.plan.steps.flatMap((step) => {
      const plan = put(step, sound.plan, sound)
      return plan === undefined ? [] : [{ ...sound, plan, code, step: who(step) }]
    })

/** What no tool takes for each type of argument. */
const wrongFor = (schema: { readonly type?: unknown }) => (schema.type === "array" ? 7 : [{}])

const filterOf = (plan: Plan) => plan.steps.find(({ tool }) => tool === "filter")?.id
const limitOf = (plan: Plan) => plan.steps.find(({ tool }) => tool === "top_n")?.id

export const lintFaults: ReadonlyArray<Fault> = [
  (sound) => [{ ...sound, plan: { steps: [] }, code: "empty_plan" }],
  each("duplicate_id", (step, plan) => (isRead(plan, step) ? undefined : append(plan, step))),
  each("duplicate_id", (step, plan) => {
    const other = plan.steps.find(({ id }) => id !== step.id)
    // Only the name is doubled: what it is for stays with the other.
    return other === undefined || isRead(plan, step) || isRead(plan, other)
      ? undefined
      : change(plan, other.id, { id: step.id })
  }),
  each(
    "reserved_id",
    (step, plan) => (isRead(plan, step) ? undefined : change(plan, step.id, { id: SOURCE })),
    () => SOURCE,
  ),
  each("unknown_tool", ({ id, tool }, plan) => change(plan, id, { tool: `${tool}_plus` })),
  each("missing_param", (step, plan) => {
    const [name] = requiredOf(toolOf(step))
    if (name === undefined) return undefined
    const { [name]: _, ...params } = step.params
    return change(plan, step.id, { params })
  }),
  each("unknown_param", ({ id, params }, plan) =>
    change(plan, id, { params: { ...params, colour_scheme: "dark" } }),
  ),
  each("mistyped_param", (step, plan) => {
    const { id, params } = step
    const { properties } = toolOf(step).params as {
      readonly properties: { readonly [name: string]: { readonly type?: unknown } }
    }
    const [name] = Object.keys(params)
    if (name === undefined) return undefined
    return change(plan, id, { params: { ...params, [name]: wrongFor(properties[name] ?? {}) } })
  }),
  each("missing_input", ({ id }, plan) => change(plan, id, { inputs: {} })),
  each("unknown_input", ({ id, inputs }, plan) =>
    change(plan, id, { inputs: { ...inputs, second: SOURCE } }),
  ),
  each("bad_reference", ({ id }, plan) => change(plan, id, { inputs: { table: "missing" } })),
  each("wrong_data_type", (step, plan) => {
    const chart = plan.steps.find((one) => drawsChart(toolOf(one)) && one.id !== step.id)
    return chart === undefined || above(plan, chart).includes(step.id)
      ? undefined
      : change(plan, step.id, { inputs: { table: chart.id } })
  }),
  each("cycle", (step, plan) =>
    drawsChart(toolOf(step)) ? undefined : change(plan, step.id, { inputs: { table: step.id } }),
  ),
  (sound) =>
    sound.plan.steps.flatMap((step) => {
      const parent = sound.plan.steps.find(({ id }) => id === step.inputs.table)
      if (parent === undefined || drawsChart(toolOf(step))) return []
      const plan = change(sound.plan, parent.id, { inputs: { table: step.id } })
      return [{ ...sound, plan, code: "cycle" as const }]
    }),
  each("unknown_column", ({ id, params }, plan) => {
    if (!Array.isArray(params.filters)) return undefined
    const filters = [{ column: "no_such_column", op: "=", value: 1 }]
    return change(plan, id, { params: { ...params, filters } })
  }),
  each("unknown_column", (step, plan) => {
    const name = ["group_by", "metrics", "x", "y", "by", "column", "time_column"].find(
      (one) => step.params[one] !== undefined && String(step.params[one]) !== "",
    )
    if (name === undefined) return undefined
    const given = step.params[name]
    const wrong = Array.isArray(given) ? [...given.slice(1), "no_such_column"] : "no_such_column"
    return change(plan, step.id, { params: { ...step.params, [name]: wrong } })
  }),
]

const extra = (sound: Sound, more: Partial<Requirements>): Sound => ({
  ...sound,
  requirements: { ...sound.requirements, ...more },
})

export const coverageFaults: ReadonlyArray<Fault> = [
  (sound) => {
    const { analysis, constraints, group_by: groups } = sound.requirements
    const limited = constraints.some(({ kind }) => kind === "top_n")
    const filtered = constraints.some(({ kind }) => kind === "filter")
    return [
      ...(analysis.includes("forecast")
        ? []
        : [extra(sound, { analysis: [...analysis, "forecast"] })]),
      ...(groups.includes("returns") ? [] : [extra(sound, { group_by: [...groups, "returns"] })]),
      ...(limited
        ? []
        : [
            extra(sound, {
              constraints: [...constraints, { kind: "top_n", n: 17, order: "desc" }],
            }),
          ]),
      ...(filtered
        ? []
        : [
            extra(sound, {
              constraints: [...constraints, { kind: "filter", column: "units", op: ">", value: 9 }],
            }),
          ]),
    ].map((one) => ({ ...one, code: "uncovered" as const }))
  },
  (sound) => {
    const step: Step = {
      id: "extra",
      tool: "compute_summary_stats",
      inputs: { table: filterOf(sound.plan) ?? SOURCE },
      params: { columns: ["returns", "units", "revenue"] },
      satisfies: [],
    }
    return [{ ...sound, plan: append(sound.plan, step), code: "uncited", step: "extra" }]
  },
  each("unknown_requirement", ({ id, satisfies }, plan) =>
    change(plan, id, { satisfies: [...satisfies, "metrics:nothing"] }),
  ),
  (sound) => {
    const situation = { ...sound, tools }
    return sound.plan.steps.flatMap((step) =>
      listRequirements(sound.requirements)
        .filter((one) => serves(one, step, situation).how === "no")
        .slice(0, 2)
        .map(({ id }) => ({
          ...sound,
          plan: change(sound.plan, step.id, { satisfies: [...step.satisfies, id] }),
          code: "false_citation" as const,
          step: step.id,
        })),
    )
  },
  each(
    "duplicate_step",
    (step, plan) => (isRead(plan, step) ? undefined : append(plan, { ...step, id: "again" })),
    () => "again",
  ),
  (sound) => {
    const { constraints, outputs } = sound.requirements
    const charts = sound.plan.steps.filter((step) => drawsChart(toolOf(step)))
    if (charts.length !== 1 || outputs.includes("chart")) return []
    const refused = [...constraints, { kind: "exclude", output: "chart" } as const]
    return [
      {
        ...extra(sound, { constraints: refused }),
        code: "forbidden_output" as const,
        step: charts[0]?.id as string,
      },
    ]
  },
  each("filter_before_use", (step, plan) =>
    filterOf(plan) !== undefined && step.inputs.table === filterOf(plan) && !isRead(plan, step)
      ? change(plan, step.id, { inputs: { table: SOURCE } })
      : undefined,
  ),
  each("limit_before_plot", (step, plan, { requirements: { constraints } }) => {
    if (!constraints.some(({ kind }) => kind === "top_n")) return undefined
    const limited = plan.steps.find(({ id }) => id === limitOf(plan))
    return limited !== undefined && step.inputs.table === limited.id && drawsChart(toolOf(step))
      ? change(plan, step.id, { inputs: limited.inputs })
      : undefined
  }),
  each("aggregate_before_plot", (step, plan, { requirements: { group_by: groups, time } }) => {
    // A chart by time would also cite an interval it has not.
    if (time.column !== "" || time.grain !== "unknown") return undefined
    const shown = [step.params.x, step.params.color].map(String)
    const draws = drawsChart(toolOf(step)) && groups.some((name) => shown.includes(name))
    const plain = limitOf(plan) === undefined && ["plot_bar", "plot_line"].includes(step.tool)
    const rows = filterOf(plan) ?? SOURCE
    return draws && plain && step.inputs.table !== rows
      ? change(plan, step.id, { inputs: { table: rows } })
      : undefined
  }),
]
