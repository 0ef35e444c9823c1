/** Chooses the plan template that fits the requirements best. */
import type { PlanTemplate } from "./PlanTemplate.ts"
import type { PlanRules } from "./PlanRules.ts"

/** Any label of the kind. */
const ANY = "*"

/** Points for what is asked and matched, minus half of it for what the template is for and was not asked for. */
export const scoreTemplate = (
  template: PlanTemplate,
  { requirements, weights }: PlanRules,
): number => {
  let score = 0
  for (const [kind, labels] of Object.entries(template.match)) {
    const weight = weights?.[kind] ?? 1
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
  rules: PlanRules,
): PlanTemplate | undefined => {
  let best: PlanTemplate | undefined
  let most = 0
  for (const template of templates) {
    const score = scoreTemplate(template, rules)
    if (score > most) {
      best = template
      most = score
    }
  }
  return best
}
