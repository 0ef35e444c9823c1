/** The request to a model to change a plan. */
import type { Plan, PlanTemplate } from "@planloom/planning"
import type { Json, Tool } from "@planloom/plugin/effect"
import type { PlanningBasis } from "./domainOf.ts"
import { toolCards } from "./toolCards.ts"

export const slotRule =
  '"inputs" maps a slot to the id of the step it reads, or to "source", the user\'s data.'

/** `rules` are those of the domain, one per line. */
export const instructionsWith = (rules: ReadonlyArray<string> = []): string =>
  [
    "Change the plan so that it does exactly what the requirements ask, as JSON {modifications}.",
    'Each modification is {op: "add" | "remove" | "modify", step, rationale, tool, inputs, params, satisfies}.',
    "Rules:",
    '- Every requirement must be served by a step, and every step must cite in "satisfies" the ids of the requirements it serves. Remove steps with no matching requirement.',
    ...rules.map((rule) => `- ${rule}`),
    "- Use only the tools listed, with their own arguments. Fill in every argument marked *.",
    `- ${slotRule}`,
    "- Add nothing that no requirement asks for.",
  ].join("\n")

/** A tool whose results steps read by path, not by slot. */
export const givesValues = ({ inputs, result }: Tool): boolean =>
  result !== undefined && Object.keys(inputs).length === 0

export const referenceRules: ReadonlyArray<string> = [
  'An argument may be a value that another step gives: {"$from": step, "path": "items[0].id"}.',
  'A step may run once for each item of a list: "each": {"over": {"$from": step, "path": "items"}, "as": "item", "limit": 3}, with {"$from": "item", "path": "id"} in its params.',
]

export const adaptPrompt = (
  input: { readonly requirements: Json; readonly profile?: Json },
  tools: ReadonlyArray<Tool>,
  basis: Plan,
  template: PlanTemplate | undefined,
  { domain, rules }: PlanningBasis,
): string =>
  [
    "Requirements:",
    ...rules.requirements.map(({ excludes, id }) =>
      excludes === undefined ? `- ${id}` : `- ${id} (must not be made)`,
    ),
    "",
    "Requirements in full:",
    JSON.stringify(input.requirements),
    "",
    "Data (source):",
    domain.describe?.(input.profile) ?? JSON.stringify(input.profile ?? null),
    "",
    "Tools:",
    ...toolCards(tools),
    ...(tools.some(givesValues) ? ["", ...referenceRules] : []),
    "",
    `Plan to change${template === undefined ? "" : ` (${template.name}: ${template.intent})`}:`,
    JSON.stringify(basis),
  ].join("\n")
