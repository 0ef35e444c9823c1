/** Checks a plan against order rules: data that flows in the wrong order. */
import { matchesTool } from "./OrderRule.ts"
import type { OrderRule } from "./OrderRule.ts"
import type { Step } from "./Plan.ts"
import { ancestorsOf } from "./planGraph.ts"
import { serviceOf } from "./PlanRules.ts"
import type { PlanRules, Situation } from "./PlanRules.ts"
import type { Requirement } from "../Requirement.ts"
import { findTool } from "../Tool.ts"

export interface OrderViolation {
  readonly code: string
  /** The step that comes too early. */
  readonly step: string
  /** The step that should come before it, if the plan has one. */
  readonly before?: string
  /** Name of the step that should come before it, if the plan lacks one. */
  readonly missing?: string
  readonly requirement: string
  readonly message: string
}

/** Steps that fulfil each requirement, by its id. */
type Served = ReadonlyMap<string, ReadonlyArray<Step>>

const fulfilling = (rules: PlanRules, situation: Situation): Served =>
  new Map(
    rules.requirements.map((requirement) => [
      requirement.id,
      situation.plan.steps.filter(
        (step) => serviceOf(rules, requirement, step, situation).how === "fulfils",
      ),
    ]),
  )

const comesAfter = (step: Step, candidates: ReadonlyArray<Step>, { plan }: Situation) => {
  const above = ancestorsOf(plan, step)
  return candidates.some((candidate) => candidate === step || above.includes(candidate))
}

/** The rule broken by this step, unless it comes after one of the candidates. */
const disorder = (
  rule: OrderRule,
  requirement: Requirement,
  step: Step,
  candidates: ReadonlyArray<Step>,
  situation: Situation,
): ReadonlyArray<OrderViolation> => {
  const [first] = candidates
  if (first === undefined && rule.missing === undefined) return []
  if (comesAfter(step, candidates, situation)) return []
  return [
    {
      code: rule.code,
      step: step.id,
      ...(first === undefined ? { missing: rule.missing! } : { before: first.id }),
      requirement: requirement.id,
      message: rule.message.replace("{step}", step.id).replace("{label}", requirement.label),
    },
  ]
}

/** Rules about the steps of certain tools. */
const ofStep = (
  step: Step,
  rules: PlanRules,
  served: Served,
  situation: Situation,
): ReadonlyArray<OrderViolation> => {
  const tool = findTool(situation.tools, step.tool)
  if (tool === undefined) return []
  return rules.requirements.flatMap((requirement) =>
    rules.order.flatMap((rule) => {
      if (!rule.first.includes(requirement.kind) || "kind" in rule.later) return []
      if (!matchesTool(rule.later, tool) || rule.when?.(requirement, step, tool) === false)
        return []
      const candidates = (served.get(requirement.id) ?? []).filter((one) => {
        const by = findTool(situation.tools, one.tool)
        return rule.counting === undefined || (by !== undefined && matchesTool(rule.counting, by))
      })
      return disorder(rule, requirement, step, candidates, situation)
    }),
  )
}

/** A rule about the steps that fulfil a requirement of a kind. */
const ofKind = (
  rule: OrderRule,
  kind: string,
  { requirements }: PlanRules,
  served: Served,
  situation: Situation,
): ReadonlyArray<OrderViolation> => {
  const candidates = requirements
    .filter((requirement) => rule.first.includes(requirement.kind))
    .flatMap(({ id }) => served.get(id) ?? [])
  return requirements
    .filter((requirement) => requirement.kind === kind)
    .flatMap((requirement) =>
      (served.get(requirement.id) ?? []).flatMap((step) =>
        disorder(rule, requirement, step, candidates, situation),
      ),
    )
}

/** Every violation of a rule, in the order of the plan's steps; rules about kinds come last. */
export const checkOrder = (
  rules: PlanRules,
  situation: Situation,
): ReadonlyArray<OrderViolation> => {
  if (rules.order.length === 0) return []
  const served = fulfilling(rules, situation)
  return [
    ...situation.plan.steps.flatMap((step) => ofStep(step, rules, served, situation)),
    ...rules.order.flatMap((rule) =>
      "kind" in rule.later ? ofKind(rule, rule.later.kind, rules, served, situation) : [],
    ),
  ]
}
