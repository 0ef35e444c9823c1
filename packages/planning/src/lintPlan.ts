/** Every way a plan cannot be executed, found before anything runs. */
import { checkValue } from "./checkValue.ts"
import type { ValueFault } from "./checkValue.ts"
import { columnsOf } from "./columnsAt.ts"
import type { DataProfile } from "@planloom/tables"
import { isObject } from "./Json.ts"
import type { Json, JsonObject } from "./Json.ts"
import { nearest } from "./nearest.ts"
import { SOURCE } from "./Plan.ts"
import type { Plan, Step } from "./Plan.ts"
import { ancestorsOf, findCycle } from "./planGraph.ts"
import { columnRoles } from "./repairColumns.ts"
import { findTool, namesIn, propertiesOf, roleOf, valueOf } from "./Tool.ts"
import type { Tool } from "./Tool.ts"

export const lintCodes = [
  "empty_plan",
  "duplicate_id",
  "reserved_id",
  "unknown_tool",
  "missing_param",
  "unknown_param",
  "mistyped_param",
  "missing_input",
  "unknown_input",
  "bad_reference",
  "wrong_data_type",
  "cycle",
  "unknown_column",
] as const
export type LintCode = (typeof lintCodes)[number]

export interface LintIssue {
  readonly code: LintCode
  readonly step?: string
  /** Where in the step: `params.metrics.0`, `inputs.table`. */
  readonly path?: string
  readonly message: string
  /** What was probably meant. */
  readonly suggestion?: string
}

export interface LintOptions {
  /** With it, names of columns are checked too. */
  readonly profile?: DataProfile
  /** Data types of `source`. */
  readonly source?: string
}

const suggest = (wanted: string, names: ReadonlyArray<string>) => {
  const suggestion = nearest(wanted, names)
  return suggestion === undefined ? {} : { suggestion }
}

const paramCodes = {
  missing: "missing_param",
  unknown: "unknown_param",
  type: "mistyped_param",
  enum: "mistyped_param",
  range: "mistyped_param",
} as const satisfies { [C in ValueFault["code"]]: LintCode }

/** Faults of one call's arguments, before a plan or after. */
const lintParams = (tool: Tool, params: JsonObject, step: string): ReadonlyArray<LintIssue> => {
  const known = propertiesOf(tool).map(([name]) => name)
  // An undeclared argument is refused even when the schema is silent about it.
  const undeclared = Object.keys(params).filter((name) => known.length > 0 && !known.includes(name))
  const faults = checkValue(tool.params, params).filter(
    ({ path, code }) => !(code === "unknown" && path.length === 1),
  )
  return [
    ...undeclared.map((name): LintIssue => ({
      code: "unknown_param",
      step,
      path: `params.${name}`,
      message: `${tool.name} has no argument ${name}`,
      ...suggest(name, known),
    })),
    ...faults.map(({ code, path, message }): LintIssue => ({
      // Only an argument itself can be missing; a gap further in is a wrong shape.
      code: code === "missing" && path.length > 1 ? "mistyped_param" : paramCodes[code],
      step,
      path: ["params", ...path].join("."),
      message: `${path.join(".") || "params"} ${message}`,
    })),
  ]
}

const lintInputs = (
  step: Step,
  tool: Tool,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  source: string,
): ReadonlyArray<LintIssue> => {
  const ids = [SOURCE, ...plan.steps.map(({ id }) => id)]
  const missing = Object.keys(tool.inputs)
    .filter((slot) => !Object.hasOwn(step.inputs, slot))
    .map((slot): LintIssue => ({
      code: "missing_input",
      step: step.id,
      path: `inputs.${slot}`,
      message: `${tool.name} needs a ${tool.inputs[slot]} as ${slot}`,
    }))
  const given = Object.entries(step.inputs).flatMap(([slot, from]): ReadonlyArray<LintIssue> => {
    const at = { step: step.id, path: `inputs.${slot}` }
    if (!Object.hasOwn(tool.inputs, slot)) {
      const message = `${tool.name} takes no ${slot}`
      return [{ code: "unknown_input", ...at, message, ...suggest(slot, Object.keys(tool.inputs)) }]
    }
    if (!ids.includes(from)) {
      const message = `there is no step ${from}`
      return [{ code: "bad_reference", ...at, message, ...suggest(from, ids) }]
    }
    const producer = plan.steps.find(({ id }) => id === from)
    const by = producer === undefined ? undefined : findTool(tools, producer.tool)
    const outputs = from === SOURCE ? [source] : by?.outputs
    const wanted = tool.inputs[slot] as string
    if (outputs === undefined || outputs.includes(wanted)) return []
    const message = `${slot} must be a ${wanted}, and ${from} gives ${outputs.join(", ") || "nothing"}`
    return [{ code: "wrong_data_type", ...at, message }]
  })
  return [...missing, ...given]
}

/** The columns that a call's conditions are about. */
const filteredBy = (tool: Tool, step: Step): ReadonlyArray<string> => {
  const filters = valueOf(tool, step.params, "filters")
  return Array.isArray(filters)
    ? filters.flatMap((one: Json) =>
        isObject(one) && typeof one.column === "string" ? [one.column] : [],
      )
    : []
}

const lintColumns = (
  step: Step,
  tool: Tool,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  profile: DataProfile,
): ReadonlyArray<LintIssue> => {
  const columns = columnsOf(plan, step, tools, profile)
  if (columns.open) return []
  return [...columnRoles, "filters" as const].flatMap((role) => {
    const param = propertiesOf(tool).find(([name, schema]) => roleOf(name, schema) === role)
    return namesIn(tool, step.params, [role])
      .concat(role === "filters" ? filteredBy(tool, step) : [])
      .filter((name) => !columns.names.includes(name))
      .map((name): LintIssue => ({
        code: "unknown_column",
        step: step.id,
        path: `params.${param?.[0] ?? role}`,
        message: `the table has no column ${name} here; it has ${columns.names.join(", ")}`,
        ...suggest(name, columns.names),
      }))
  })
}

const lintStep = (
  step: Step,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  options: LintOptions,
): ReadonlyArray<LintIssue> => {
  const tool = findTool(tools, step.tool)
  if (tool === undefined) {
    const names = tools.map(({ name }) => name)
    const message = `there is no tool ${step.tool}`
    return [{ code: "unknown_tool", step: step.id, message, ...suggest(step.tool, names) }]
  }
  return [
    ...lintParams(tool, step.params, step.id),
    ...lintInputs(step, tool, plan, tools, options.source ?? "table"),
    ...(options.profile === undefined ? [] : lintColumns(step, tool, plan, tools, options.profile)),
  ]
}

/** All issues: of the plan as a whole first, then step by step. */
export const lintPlan = (
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  options: LintOptions = {},
): ReadonlyArray<LintIssue> => {
  const ids = plan.steps.map(({ id }) => id)
  const repeated = [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))]
  // Where a name means two steps, nobody can tell who waits for whom.
  const cycle = repeated.length === 0 ? findCycle(plan) : undefined
  // What comes out of a ring has no columns to speak of.
  const circles = (step: Step) =>
    cycle !== undefined && [step, ...ancestorsOf(plan, step)].some(({ id }) => cycle.includes(id))
  return [
    ...(ids.length === 0
      ? [{ code: "empty_plan", message: "the plan has no steps" } as const]
      : []),
    ...repeated.map((id): LintIssue => ({
      code: "duplicate_id",
      step: id,
      message: `two steps are called ${id}`,
    })),
    ...(ids.includes(SOURCE)
      ? [
          {
            code: "reserved_id",
            step: SOURCE,
            message: "source names the workflow's data, so no step can be called so",
          } as const,
        ]
      : []),
    ...(cycle === undefined
      ? []
      : [
          {
            code: "cycle",
            step: cycle[0] as string,
            message: `steps wait for each other: ${[...cycle, cycle[0]].join(" → ")}`,
          } as const,
        ]),
    ...plan.steps.flatMap((step) => {
      const { profile: _, ...blind } = options
      return lintStep(step, plan, tools, circles(step) ? blind : options)
    }),
  ]
}
