/** Resolves the domain of a planning stage and its rules for the stage's requirements. */
import { StageFailed } from "@planloom/plugin/effect"
import type { Json, StageContext } from "@planloom/plugin/effect"
import { checkValue, plainRules, readRequirements, requirementListSchema } from "@planloom/planning"
import type { DomainRules, PlanRules, Requirement } from "@planloom/planning"
import { text } from "@planloom/stage-kit"

/** `with.domain` of a kind. */
export const domainName = {
  ...text,
  minLength: 1,
  description: "the domain whose rules apply; required only if the plugins contribute several",
} as const

/** `with.requirements` of a kind. */
export const requirements = {
  description: "what the plan must do: as the domain writes it, or a list of { kind, label }",
  anyOf: [{ type: "object" }, requirementListSchema],
} as const

/** Planning without a domain: by tools, tasks, capabilities and types of data. */
const plain: DomainRules = {
  requirements: requirementListSchema,
  planRules: (list) => plainRules(readRequirements(list as unknown as ReadonlyArray<Requirement>)),
}

const refused = (message: string) => new StageFailed({ class: "invalid_request", message })

/** The named domain, else the only one, else planning without a domain. */
export const domainOf = (
  { domains }: StageContext,
  named: string | undefined,
): DomainRules | StageFailed => {
  const ids = domains.map(({ id }) => id)
  if (named === undefined && ids.length > 1) {
    return refused(`name the domain in \`with.domain\`: ${ids.join(", ")}`)
  }
  if (named === undefined && ids.length === 0) return plain
  const found = named === undefined ? domains[0] : domains.find(({ id }) => id === named)
  return found === undefined
    ? refused(`there is no domain ${named}; the plugins bring ${ids.join(", ") || "none"}`)
    : (found.rules as DomainRules)
}

/** Domain and plan rules of one stage. */
export interface PlanningBasis {
  /** The domain, without its plan rules if the requirements are a plain list. */
  readonly domain: DomainRules
  readonly rules: PlanRules
}

/** Checks the requirements against the domain's schema; a plain list is read without the domain. */
export const planningBasisOf = (
  context: StageContext,
  input: { readonly requirements: Json; readonly domain?: string },
): PlanningBasis | StageFailed => {
  const found = domainOf(context, input.domain)
  if (found instanceof StageFailed) return found
  const { adapt: _, ...data } = found
  const domain: DomainRules = Array.isArray(input.requirements) ? { ...data, ...plain } : found
  const [mismatch] = checkValue(domain.requirements, input.requirements)
  if (mismatch !== undefined) {
    const at = ["requirements", ...mismatch.path].join(".")
    const hint =
      found === plain
        ? "; a plugin with a domain, such as @planloom/analyst, reads other shapes"
        : ""
    return refused(`${at} ${mismatch.message}${hint}`)
  }
  return { domain, rules: domain.planRules(input.requirements) }
}
