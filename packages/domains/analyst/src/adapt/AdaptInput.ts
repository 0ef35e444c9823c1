/** What a plan is adapted to and from. */
import type { PlanTemplate } from "@planloom/planning"
import type { Tool } from "@planloom/plugin/effect"
import type { DataProfile } from "@planloom/tables"
import type { Requirements } from "../requirements/Requirements.ts"

export interface AdaptInput {
  readonly templates: ReadonlyArray<PlanTemplate>
  readonly requirements: Requirements
  readonly tools: ReadonlyArray<Tool>
  readonly profile: DataProfile
}
