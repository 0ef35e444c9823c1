/** The extension point of planning: a domain's requirements, its rules for plans and calls, its adaptation. */
import type {
  Domain,
  Json,
  JsonObject,
  JsonSchema,
  RepairParams,
  Tool,
} from "@planloom/plugin/effect"
import type { PlanTemplate } from "./plan/PlanTemplate.ts"
import type { Adaptation } from "./plan/Adaptation.ts"
import type { LintIssue } from "./plan/LintIssue.ts"
import type { Plan, Step } from "./plan/Plan.ts"
import type { PlanRules } from "./plan/PlanRules.ts"

/** Repairs of a call that its schema alone does not suggest. */
export interface CallRules {
  /** Arguments that the tool neither declares nor excludes stay; otherwise they are mistakes. */
  readonly keepsUndeclared?: boolean
  /** The choice that a value in lower case means under another name. */
  readonly sameChoice?: (value: string, choices: ReadonlyArray<string>) => string | undefined
  /** Repairs names that the data defines. Must return a valid call unchanged. */
  readonly repair?: RepairParams
}

/** Rules that follow from what is known of the data before the plan runs. */
export interface DataRules {
  readonly lint: (
    step: Step,
    tool: Tool,
    plan: Plan,
    tools: ReadonlyArray<Tool>,
  ) => ReadonlyArray<LintIssue>
  readonly call: (step: Step, plan: Plan, tools: ReadonlyArray<Tool>) => CallRules
}

export interface AdaptRequest {
  readonly templates: ReadonlyArray<PlanTemplate>
  readonly requirements: Json
  readonly tools: ReadonlyArray<Tool>
  /** The data profile, as the workflow gives it. */
  readonly profile: Json | undefined
}

export interface DomainRules {
  /** JSON Schema of requirements as the domain writes them. */
  readonly requirements: JsonSchema
  /** Only called with requirements that fit the schema. */
  readonly planRules: (requirements: Json) => PlanRules
  /** Data type of `source`; without it `source` fits every slot. */
  readonly source?: string
  /** Rules from a data profile; undefined when the profile says nothing. */
  readonly dataRules?: (profile: Json | undefined) => DataRules | undefined
  /** Rules for one call, from the data it is given. */
  readonly callRules?: (inputs: JsonObject) => CallRules
  /** Fits a plan without a model; `adaptTemplate` unless given. */
  readonly adapt?: (request: AdaptRequest) => Adaptation
  /** For a model that changes plans: one rule a line. */
  readonly instructions?: ReadonlyArray<string>
  /** The data profile as text for a model. */
  readonly describe?: (profile: Json | undefined) => string
  /** Tools that every plan may choose from. */
  readonly safety?: ReadonlyArray<string>
}

/** Makes the component that a plugin contributes under `domains`. */
export const planningDomain = (id: string, summary: string, rules: DomainRules): Domain => ({
  id,
  summary,
  rules,
})
