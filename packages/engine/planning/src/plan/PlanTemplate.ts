/** Plan templates: plans for known kinds of requests. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { Each } from "./Plan.ts"

/** A plan for a known kind of request, with the tools it is limited to. */
export interface PlanTemplate {
  readonly name: string
  readonly intent: string
  /** Requirement labels this template is for, by kind; templates are scored on them. */
  readonly match: { readonly [kind: string]: ReadonlyArray<string> }
  /** The curated tool subset. */
  readonly tools: ReadonlyArray<string>
  readonly steps: ReadonlyArray<TemplateStep>
}

export interface TemplateStep {
  readonly id: string
  readonly tool: string
  /** Slot → id of the step (or `source`, the workflow's data) whose result fills it. */
  readonly inputs: { readonly [slot: string]: string }
  /** Values, and references to results of other steps. */
  readonly params: JsonObject
  readonly each?: Each
  /** Requirement kinds or `kind:label` this step satisfies. */
  readonly satisfies: ReadonlyArray<string>
  /** Kept only if a requirement needs it. */
  readonly optional: boolean
}
