/** One change made to a call so that it can run: what, from, to, why and by which rule. */
import type { Json } from "@planloom/plugin"

/** The rules of every repair; a domain brings its own. */
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
  "missing_input",
  "input_name",
  "reference",
] as const
export type RepairRule = (typeof repairRules)[number]

export interface Repair {
  /** `params.to.0`, `inputs.file`. */
  readonly path: string
  /** Null when there was nothing. */
  readonly from: Json
  /** Null when it was taken away. */
  readonly to: Json
  readonly why: string
  /** One of `repairRules`, or a rule of the domain. */
  readonly rule: string
}
