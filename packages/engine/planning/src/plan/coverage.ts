/** Checks that a plan does everything required and nothing else: requirements ↔ steps, in both directions. */
import type { Coverage, CoverageIssue } from "./CoverageReport.ts"
import { coverageText } from "./coverageText.ts"
import { sameJson } from "@planloom/schema"
import { checkOrder } from "./checkOrder.ts"
import type { Plan, Step } from "./Plan.ts"
import { serviceOf } from "./PlanRules.ts"
import type { PlanRules, Situation } from "./PlanRules.ts"
import { needsStep } from "../Requirement.ts"
import type { Requirement } from "../Requirement.ts"
import { findTool } from "../Tool.ts"
import type { Tool } from "@planloom/plugin/effect"

type ModelConfidence = {
  readonly step: Step
  /** Requirements the step cites truthfully; those it also fulfils. */
  readonly serving: ReadonlyArray<Requirement>
  readonly fulfilling: ReadonlyArray<Requirement>
  readonly issues: ReadonlyArray<CoverageIssue>
}

const judge = (step: Step, rules: PlanRules, situation: Situation): ModelConfidence => {
  const serving: Array<Requirement> = []
  const fulfilling: Array<Requirement> = []
  const issues: Array<CoverageIssue> = []
  for (const id of new Set(step.satisfies)) {
    const requirement = rules.requirements.find((one) => one.id === id)
    if (requirement === undefined) {
      const message = `${step.id} cites ${id}, which is not required`
      issues.push({ code: "unknown_requirement", step: step.id, requirement: id, message })
      continue
    }
    const service = serviceOf(rules, requirement, step, situation)
    if (service.how === "no") {
      const message = `${step.id} cites ${id}, but ${service.reason}`
      issues.push({ code: "false_citation", step: step.id, requirement: id, message })
      continue
    }
    serving.push(requirement)
    if (service.how === "fulfils") fulfilling.push(requirement)
  }
  if (serving.length === 0) {
    issues.push({ code: "uncited", step: step.id, message: `no requirement asks for ${step.id}` })
  }
  return { step, serving, fulfilling, issues }
}

const forbidden = (
  { requirements }: PlanRules,
  { plan, tools }: Situation,
): ReadonlyArray<CoverageIssue> =>
  plan.steps.flatMap((step) => {
    const given = findTool(tools, step.tool)?.outputs ?? []
    return requirements.flatMap(({ excludes, id }) => {
      const output = excludes?.output
      if (output === undefined || !given.includes(output)) return []
      const message = `${step.id} gives a ${output}, and the user wants none`
      return [{ code: "forbidden_output" as const, step: step.id, requirement: id, message }]
    })
  })

const duplicates = ({ plan }: Situation): ReadonlyArray<CoverageIssue> =>
  plan.steps.flatMap((step, at) => {
    const twin = plan.steps
      .slice(0, at)
      .find(
        (one) =>
          one.tool === step.tool &&
          sameJson(one.params, step.params) &&
          sameJson(one.inputs, step.inputs) &&
          sameJson(one.each ?? null, step.each ?? null),
      )
    if (twin === undefined || step.fresh === true) return []
    return [{ code: "duplicate_step", step: step.id, message: `${step.id} repeats ${twin.id}` }]
  })

/** Unambiguous names of steps: the tool if one step uses it, `tool (step)` otherwise. */
const stepNames = (plan: Plan, ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  plan.steps
    .filter((step) => ids.includes(step.id))
    .map(({ id, tool }) =>
      plan.steps.filter((one) => one.tool === tool).length === 1 ? tool : `${tool} (${id})`,
    )

/**
 * Passes a plan only when every required thing has a step that fulfils and cites it, every step
 * cites something truthfully, nothing forbidden is made and the data flows in the right order.
 */
export const coverage = (plan: Plan, rules: PlanRules, tools: ReadonlyArray<Tool>): Coverage => {
  const situation: Situation = { plan, tools }
  const { requirements } = rules
  const judged = plan.steps.map((step) => judge(step, rules, situation))
  const matrix = Object.fromEntries(
    requirements
      .filter(({ excludes }) => excludes === undefined)
      .map((requirement) => [
        requirement.id,
        judged.filter((one) => one.fulfilling.includes(requirement)).map((one) => one.step.id),
      ]),
  )
  const toCover = requirements.filter(needsStep)
  const uncovered = toCover.filter(({ id }) => matrix[id]?.length === 0)
  const missing: Record<string, Array<string>> = {}
  for (const { kind, label } of uncovered) (missing[kind] ??= []).push(label)
  const order = checkOrder(rules, situation)
  const refused = forbidden(rules, situation)
  const repeated = duplicates(situation)
  const uncited = judged.filter((one) => one.serving.length === 0).map((one) => one.step.id)
  const unjustified = stepNames(plan, [
    ...uncited,
    ...[...refused, ...repeated].flatMap(({ step }) => step ?? []),
  ])
  const issues: ReadonlyArray<CoverageIssue> = [
    ...uncovered.map(({ id }) => ({
      code: "uncovered" as const,
      requirement: id,
      message: `no step covers ${id}`,
    })),
    ...judged.flatMap((one) => one.issues),
    ...refused,
    ...repeated,
    ...order.map(({ code, step, requirement, message }) => ({ code, step, requirement, message })),
  ]
  const result = {
    ok: issues.length === 0,
    missing,
    unjustified,
    order,
    issues,
    matrix,
    counts: {
      requirements: toCover.length,
      covered: toCover.length - uncovered.length,
      steps: plan.steps.length,
      unjustified: unjustified.length,
    },
  }
  return { ...result, text: coverageText(result, plan) }
}
