/** The rules by which the arguments and inputs of a call are repaired. */
export type { Repair } from "@planloom/plugin/effect"

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
