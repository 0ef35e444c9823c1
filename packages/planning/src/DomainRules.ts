/** What a domain adds to planning: its requirements, its rules for plans and calls, its way to fit a plan. */
import type { Domain, Json, JsonObject, JsonSchema, PlanTemplate, Tool } from "@planloom/plugin"
import type { Adaptation } from "./Adaptation.ts"
import type { LintIssue } from "./lintPlan.ts"
import type { Plan, Step } from "./Plan.ts"
import type { PlanRules } from "./PlanRules.ts"
import type { Repair } from "./Repair.ts"

/** Repairs of a call that its schema cannot tell. */
export interface CallRules {
  /** The choice that a value in lower case means under another name. */
  readonly sameChoice?: (value: string, choices: ReadonlyArray<string>) => string | undefined
  /** Repairs names that stand in the data. Must return a call unchanged that fits. */
  readonly repair?: (
    tool: Tool,
    params: JsonObject,
  ) => { readonly params: JsonObject; readonly repairs: ReadonlyArray<Repair> }
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
  /** What is known of the data, as the workflow gave it. */
  readonly profile: Json | undefined
}

export interface DomainRules {
  /** JSON Schema of requirements as the domain writes them. */
  readonly requirements: JsonSchema
  /** Only called with requirements that fit the schema. */
  readonly planRules: (requirements: Json) => PlanRules
  /** Data type of `source`; without it `source` fits every slot. */
  readonly source?: string
  /** Rules from what is known of the data; undefined where that says nothing. */
  readonly dataRules?: (profile: Json | undefined) => DataRules | undefined
  /** Rules for one call, from the data it is given. */
  readonly callRules?: (inputs: JsonObject) => CallRules
  /** Fits a plan without a model; `adaptTemplate` unless given. */
  readonly adapt?: (request: AdaptRequest) => Adaptation
  /** For a model that changes plans: one rule a line. */
  readonly instructions?: ReadonlyArray<string>
  /** For a model: what is known of the data, in words. */
  readonly describe?: (profile: Json | undefined) => string
  /** Tools no plan should be without. */
  readonly safety?: ReadonlyArray<string>
}

/** A domain as the component a plugin brings. */
export const planningDomain = (id: string, summary: string, rules: DomainRules): Domain => ({
  id,
  summary,
  rules,
})
