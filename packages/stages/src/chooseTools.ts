/** Resolves the tools and templates that a stage's `with` names. */
import { StageFailed } from "@planloom/plugin"
import type { PlanTemplate, StageContext, Tool } from "@planloom/plugin"
import { chooseTemplate } from "@planloom/planning"
import type { PlanRules } from "@planloom/planning"

/** In the order of the names; names without a tool are left out. */
export const toolsNamed = (
  names: ReadonlyArray<string>,
  tools: ReadonlyArray<Tool>,
): ReadonlyArray<Tool> => names.flatMap((name) => tools.find((tool) => tool.name === name) ?? [])

/** The templates to choose from: one, some, or all of the workflow. */
export const templatesNamed = (
  context: StageContext,
  one: string | undefined,
  some: ReadonlyArray<string> | undefined,
): ReadonlyArray<PlanTemplate> | StageFailed => {
  const wanted = one === undefined ? some : [one]
  if (wanted === undefined) return context.templates
  const found = wanted.map((name) => context.templates.find((template) => template.name === name))
  const missing = wanted.filter((_, at) => found[at] === undefined)
  if (missing.length === 0) return found.filter((template) => template !== undefined)
  const known = context.templates.map(({ name }) => name)
  return new StageFailed({
    class: "invalid_request",
    message: `there is no plan template ${missing.join(", ")}; there are ${known.join(", ") || "none"}`,
  })
}

/** The only template, or the best-fitting of several. */
export const templateFor = (
  templates: ReadonlyArray<PlanTemplate>,
  rules: PlanRules,
): PlanTemplate | undefined =>
  templates.length === 1 ? templates[0] : chooseTemplate(templates, rules)
