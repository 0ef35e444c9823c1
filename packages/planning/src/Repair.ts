/** One change made to a call so that it can run: what, from, to, why and by which rule. */
import type { Json } from "./Json.ts"

export const repairRules = [
  "rename_param",
  "drop_param",
  "default",
  "wrap_list",
  "unwrap_list",
  "to_number",
  "to_text",
  "to_boolean",
  "fold_choice",
  "column_name",
  "missing_input",
  "input_name",
  "reference",
] as const
export type RepairRule = (typeof repairRules)[number]

export interface Repair {
  /** `params.metrics.0`, `inputs.table`. */
  readonly path: string
  /** Null when there was nothing. */
  readonly from: Json
  /** Null when it was taken away. */
  readonly to: Json
  readonly why: string
  readonly rule: RepairRule
}
