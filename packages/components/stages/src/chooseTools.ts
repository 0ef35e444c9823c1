/** Resolves the tools and templates that a stage's `with` names. */
import { StageFailed } from "@planloom/plugin/effect"
import type { StageContext, Tool } from "@planloom/plugin/effect"
import { chooseTemplate } from "@planloom/planning"
import type { PlanRules, PlanTemplate } from "@planloom/planning"
import { templatesOf } from "./planTemplate.ts"

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
  const templates = templatesOf(context)
  if (wanted === undefined) return templates
  const found = wanted.map((name) => templates.find((template) => template.name === name))
  const missing = wanted.filter((_, at) => found[at] === undefined)
  if (missing.length === 0) return found.filter((template) => template !== undefined)
  const known = templates.map(({ name }) => name)
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
