/** The decision of a reflection on a plan. */
import type { Plan, Rejected } from "@planloom/planning"
import type { StepRepair } from "../repairPlan.ts"

export interface Decision {
  readonly plan: Plan
  readonly strategy: string
  readonly done: boolean
  readonly reasoning?: string
  /** The model's sentence for the user. */
  readonly message?: string
  readonly rejected?: ReadonlyArray<Rejected>
  /** Repairs of the steps. */
  readonly repairs?: ReadonlyArray<StepRepair>
}

export const unchanged = (plan: Plan, done: boolean, reasoning = ""): Decision => ({
  plan,
  strategy: "none",
  done,
  reasoning,
})
