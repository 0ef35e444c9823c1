/** Which plan template fits the requirements best. */
import type { PlanTemplate } from "./PlanTemplate.ts"
import type { Requirement, RequirementKind } from "./Requirement.ts"

/** What a match says about the intent: an analysis most, an output hardly anything. */
const weights: { readonly [K in RequirementKind]: number } = {
  analysis: 3,
  time: 2,
  group_by: 2,
  top_n: 2,
  window: 2,
  horizon: 2,
  metrics: 1,
  filter: 1,
  outputs: 0.5,
  chart_type: 0.5,
  exclude: 0,
}

/** Any label of the kind. */
const ANY = "*"

/** Points for what is asked and matched, minus half of it for what the template is for and nobody asked. */
export const scoreTemplate = (
  template: PlanTemplate,
  requirements: ReadonlyArray<Requirement>,
): number => {
  let score = 0
  for (const [kind, labels] of Object.entries(template.match)) {
    const weight = weights[kind as RequirementKind] ?? 1
    const asked = requirements.filter((one) => one.kind === kind).map(({ label }) => label)
    const matched = labels.includes(ANY)
      ? asked.length > 0
      : asked.some((label) => labels.includes(label))
    score += matched ? weight : -weight / 2
  }
  return score
}

/** The best-scoring template; the first of equals; undefined when none has anything in common. */
export const chooseTemplate = (
  templates: ReadonlyArray<PlanTemplate>,
  requirements: ReadonlyArray<Requirement>,
): PlanTemplate | undefined => {
  let best: PlanTemplate | undefined
  let most = 0
  for (const template of templates) {
    const score = scoreTemplate(template, requirements)
    if (score > most) {
      best = template
      most = score
    }
  }
  return best
}
