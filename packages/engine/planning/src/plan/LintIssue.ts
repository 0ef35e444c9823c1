/** Reasons why a plan cannot be executed, with their codes. */

/** The built-in lint codes; a domain adds its own. */
export const lintCodes = [
  "empty_plan",
  "duplicate_id",
  "reserved_id",
  "unknown_tool",
  "missing_param",
  "unknown_param",
  "mistyped_param",
  "missing_input",
  "unknown_input",
  "bad_reference",
  "wrong_data_type",
  "undeclared_dependency",
  "dangling_dependency",
  "cycle",
  "too_many_steps",
] as const
export type LintCode = (typeof lintCodes)[number]

export interface LintIssue {
  /** One of `lintCodes`, or a code of the domain. */
  readonly code: string
  readonly step?: string
  /** Where in the step: `params.to.0`, `inputs.file`. */
  readonly path?: string
  readonly message: string
  /** The name that was probably meant. */
  readonly suggestion?: string
}
