/** Fits a plan to requirements by tools, capabilities and types of data alone. */
import type { Json, Tool } from "@planloom/plugin/effect"
import type { PlanTemplate } from "./PlanTemplate.ts"
import { planOf, uncoveredIds } from "./Adaptation.ts"
import type { Adaptation } from "./Adaptation.ts"
import { applyModifications } from "./applyModifications.ts"
import { chooseTemplate } from "./chooseTemplate.ts"
import { coverage } from "./coverage.ts"
import { diffPlans } from "./diffPlans.ts"
import { lintPlan } from "./lintPlan.ts"
import type { Plan, Step } from "./Plan.ts"
import { serviceOf } from "./PlanRules.ts"
import type { PlanRules } from "./PlanRules.ts"
import { matchesPattern, needsStep } from "../Requirement.ts"
import type { Requirement } from "../Requirement.ts"
import { findTool, propertiesOf, requiredOf } from "../Tool.ts"
import { freeId, wireByType } from "./wiring.ts"

export interface TemplateRequest {
  readonly templates: ReadonlyArray<PlanTemplate>
  readonly rules: PlanRules
  readonly tools: ReadonlyArray<Tool>
  readonly source?: string | undefined
}

const without = (plan: Plan, ids: ReadonlyArray<string>): Plan =>
  applyModifications(
    plan,
    ids.map((step) => ({ op: "remove", step, rationale: "" })),
  ).plan

/** Cites on every step exactly the requirements it serves. */
const cite = (plan: Plan, { rules, tools }: TemplateRequest): Plan => ({
  steps: plan.steps.map((step) => ({
    ...step,
    satisfies: rules.requirements
      .filter((one) => serviceOf(rules, one, step, { plan, tools }).how !== "no")
      .map(({ id }) => id),
  })),
})

/** The template's steps that have a tool and, where they are optional, a requirement. */
const draft = (template: PlanTemplate | undefined, request: TemplateRequest): Plan => {
  const left = (template?.steps ?? []).filter(
    ({ optional, satisfies, tool }) =>
      findTool(request.tools, tool) === undefined ||
      (optional &&
        !satisfies.some((pattern) =>
          request.rules.requirements.some((one) => matchesPattern(pattern, one)),
        )),
  )
  const kept = without(
    planOf(template),
    left.map(({ id }) => id),
  )
  const cited = cite(kept, request)
  const idle = cited.steps.filter(({ satisfies }) => satisfies.length === 0)
  return without(
    cited,
    idle.map(({ id }) => id),
  )
}

/** The defaults of required arguments. */
const defaultsOf = (tool: Tool) =>
  Object.fromEntries(
    propertiesOf(tool).flatMap(([name, schema]) =>
      requiredOf(tool).includes(name) && Object.hasOwn(schema, "default")
        ? [[name, schema.default as Json] as const]
        : [],
    ),
  )

/** The plan with one more step that meets the requirement; undefined when no tool does it with its defaults. */
const withStepFor = (
  requirement: Requirement,
  plan: Plan,
  request: TemplateRequest,
): Plan | undefined => {
  const { rules, source, tools } = request
  for (const tool of tools) {
    const inputs = wireByType(tool, plan, tools, source)
    if (inputs === undefined) continue
    const id = freeId(plan, tool.name)
    const step: Step = { id, tool: tool.name, inputs, params: defaultsOf(tool), satisfies: [] }
    const next = { steps: [...plan.steps, step] }
    if (serviceOf(rules, requirement, step, { plan: next, tools }).how !== "fulfils") continue
    if (lintPlan(next, tools, { source }).some((issue) => issue.step === id)) continue
    return cite(next, request)
  }
  return undefined
}

/**
 * Chooses a template, keeps what the requirements ask for and adds a step for what is uncovered, where a tool
 * can be called with its defaults. Same request, same plan.
 */
export const adaptTemplate = (request: TemplateRequest): Adaptation => {
  const { rules, source, tools } = request
  const template = chooseTemplate(request.templates, rules)
  let plan = draft(template, request)
  for (const requirement of rules.requirements.filter(needsStep)) {
    if (plan.steps.some(({ satisfies }) => satisfies.includes(requirement.id))) continue
    plan = withStepFor(requirement, plan, request) ?? plan
  }
  const covered = coverage(plan, rules, tools)
  const lint = lintPlan(plan, tools, { source })
  return {
    plan,
    modifications: diffPlans(planOf(template), plan, new Map()),
    template: template?.name,
    assumptions: [],
    ok: covered.ok && lint.length === 0,
    uncovered: uncoveredIds(covered),
    coverage: covered,
    lint,
  }
}
