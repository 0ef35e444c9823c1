/** One recorded repair of a call: path, old and new value, reason and rule. */
import type { Json } from "@planloom/plugin/effect"

/** The built-in repair rules; a domain adds its own. */
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
  /** Null if the value was absent. */
  readonly from: Json
  /** Null if the value was removed. */
  readonly to: Json
  readonly why: string
  /** One of `repairRules`, or a rule of the domain. */
  readonly rule: string
}
