/** A plan template: an intent, its curated tools, and steps whose arguments are filled by role. */
import type { JsonObject } from "./Json.ts"

export interface TemplateStep {
  readonly id: string
  readonly tool: string
  readonly inputs: { readonly [slot: string]: string }
  /** What is written here stays; the rest is filled from the requirements and the data. */
  readonly params: JsonObject
  /** Requirement kinds or `kind:label` this step is for. */
  readonly satisfies: ReadonlyArray<string>
  /** Kept only when a requirement it names is asked for. */
  readonly optional: boolean
}

export interface PlanTemplate {
  readonly name: string
  readonly intent: string
  /** Labels by kind; `"*"` means any label of the kind. */
  readonly match: { readonly [kind: string]: ReadonlyArray<string> }
  readonly tools: ReadonlyArray<string>
  readonly steps: ReadonlyArray<TemplateStep>
}
