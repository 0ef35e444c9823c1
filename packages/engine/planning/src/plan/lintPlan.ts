/** Lints a plan: every reason why it cannot be executed, before anything runs. */
import { checkValue } from "../repair/checkValue.ts"
import type { ValueMismatch, ValuePath } from "../repair/checkValue.ts"
import type { JsonObject } from "@planloom/plugin/effect"
import type { DataRules } from "../DomainRules.ts"
import type { LintCode, LintIssue } from "./LintIssue.ts"
import { lintReferences } from "./lintReferences.ts"
import { suggest } from "../repair/nearest.ts"
import { mostCalls, SOURCE } from "./Plan.ts"
import type { Plan, Step } from "./Plan.ts"
import { ancestorsOf, findCycle, dependencies, dataDependencies } from "./planGraph.ts"
import { referencesIn } from "./StepReference.ts"
import { findTool, plannedTool, propertiesOf, refusesUndeclared, slotsOf } from "../Tool.ts"
import type { Tool } from "@planloom/plugin/effect"

export interface LintOptions {
  /** Rules from the data profile: with them the domain checks each call, too. */
  readonly data?: DataRules
  /** Data type of `source`; without it `source` fits every slot. */
  readonly source?: string | undefined
}

const paramCodes = {
  missing: "missing_param",
  unknown: "unknown_param",
  type: "mistyped_param",
  enum: "mistyped_param",
  range: "mistyped_param",
} as const satisfies { [C in ValueMismatch["code"]]: LintCode }

/** Issues with the arguments of one call, in a plan or outside of one. */
const lintParams = (tool: Tool, params: JsonObject, step: string): ReadonlyArray<LintIssue> => {
  const known = propertiesOf(tool).map(([name]) => name)
  const undeclared = refusesUndeclared(tool)
    ? Object.keys(params).filter((name) => !known.includes(name))
    : []
  const references = referencesIn(params)
  const mismatches = checkValue(plannedTool(tool).params, params).filter(
    ({ path, code }) =>
      !(code === "unknown" && path.length === 1) &&
      // The value is known when the step runs, and checked then.
      !references.some(({ at }) => isWithin(at, path) || isWithin(path, at)),
  )
  return [
    ...undeclared.map((name): LintIssue => ({
      code: "unknown_param",
      step,
      path: `params.${name}`,
      message: `${tool.name} has no argument ${name}`,
      ...suggest(name, known),
    })),
    ...mismatches.map(({ code, path, message }): LintIssue => ({
      // Only an argument itself can be missing; a gap further in is a wrong shape.
      code: code === "missing" && path.length > 1 ? "mistyped_param" : paramCodes[code],
      step,
      path: ["params", ...path].join("."),
      message: `${path.join(".") || "params"} ${message}`,
    })),
  ]
}

/** Whether a place is another one or inside of it. */
const isWithin = (place: ValuePath, outer: ValuePath): boolean =>
  outer.every((key, at) => place[at] === key)

const lintInputs = (
  step: Step,
  tool: Tool,
  plan: Plan,
  tools: ReadonlyArray<Tool>,
  source: string | undefined,
): ReadonlyArray<LintIssue> => {
  const slots = slotsOf(tool)
  const ids = [SOURCE, ...plan.steps.map(({ id }) => id)]
  const missing = slots
    .filter(({ name, optional }) => !optional && !Object.hasOwn(step.inputs, name))
    .map(({ name, type }): LintIssue => ({
      code: "missing_input",
      step: step.id,
      path: `inputs.${name}`,
      message: `${tool.name} needs a ${type} as ${name}`,
    }))
  const given = Object.entries(step.inputs).flatMap(([slot, from]): ReadonlyArray<LintIssue> => {
    const at = { step: step.id, path: `inputs.${slot}` }
    const wanted = slots.find(({ name }) => name === slot)?.type
    if (wanted === undefined) {
      const message = `${tool.name} takes no ${slot}`
      return [{ code: "unknown_input", ...at, message, ...suggest(slot, Object.keys(tool.inputs)) }]
    }
    if (!ids.includes(from)) {
      const message = `there is no step ${from}`
      return [{ code: "bad_reference", ...at, message, ...suggest(from, ids) }]
    }
    const producer = plan.steps.find(({ id }) => id === from)
    const by = producer === undefined ? undefined : findTool(tools, producer.tool)
    const outputs = from !== SOURCE ? by?.outputs : source === undefined ? undefined : [source]
    if (outputs === undefined || outputs.includes(wanted)) return []
    const message = `${slot} must be a ${wanted}, and ${from} gives ${outputs.join(", ") || "nothing"}`
    return [{ code: "wrong_data_type", ...at, message }]
  })
  return [...missing, ...given]
}

/** Issues of declared dependencies: they must include every step that is read, and only existing steps. */
const lintNeeds = (step: Step, plan: Plan): ReadonlyArray<LintIssue> => {
  const { needs } = step
  if (needs === undefined) return []
  const ids = plan.steps.map(({ id }) => id)
  const undeclared = dataDependencies(step).filter((id) => ids.includes(id) && !needs.includes(id))
  return [
    ...undeclared.map((id): LintIssue => ({
      code: "undeclared_dependency",
      step: step.id,
      path: "needs",
      message: `${step.id} reads ${id} and does not declare that it needs it`,
      suggestion: id,
    })),
    ...needs.flatMap((id, at): ReadonlyArray<LintIssue> => {
      if (id === SOURCE || ids.includes(id)) return []
      const message = `${step.id} needs ${id}, which is not a step of the plan`
      const path = `needs.${at}`
      return [{ code: "dangling_dependency", step: step.id, path, message, ...suggest(id, ids) }]
    }),
  ]
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
    return [
      { code: "unknown_tool", step: step.id, message, ...suggest(step.tool, names) },
      ...lintNeeds(step, plan),
    ]
  }
  return [
    ...lintParams(tool, step.params, step.id),
    ...lintReferences(step, tool, plan, tools),
    ...lintInputs(step, tool, plan, tools, options.source),
    ...lintNeeds(step, plan),
    ...(options.data?.lint(step, tool, plan, tools) ?? []),
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
  // With a duplicate step id, dependencies are ambiguous.
  const cycle = repeated.length === 0 ? findCycle(plan) : undefined
  // The data of a cycle is unknown.
  const circles = (step: Step) =>
    cycle !== undefined &&
    [step, ...ancestorsOf(plan, step, dependencies)].some(({ id }) => cycle.includes(id))
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
    ...(mostCalls(plan) > (plan.max_steps ?? Infinity)
      ? [
          {
            code: "too_many_steps",
            message: `the plan may make ${mostCalls(plan)} calls, and at most ${plan.max_steps} are allowed`,
          } as const,
        ]
      : []),
    ...plan.steps.flatMap((step) => {
      const { data: _, ...blind } = options
      return lintStep(step, plan, tools, circles(step) ? blind : options)
    }),
  ]
}
