/** A rule on the flow of data as a value: the steps that meet one requirement come before others. */
import type { Tool } from "@planloom/plugin/effect"
import type { Step } from "./Plan.ts"
import type { Requirement } from "../Requirement.ts"
import { can, slotsOf } from "../Tool.ts"

/** Tools by what they take, give and can do; every part that is given must match. */
export interface ToolPattern {
  /** A data type of one of its slots. */
  readonly takes?: string
  /** A data type among its outputs. */
  readonly gives?: string
  /** None of these capabilities. */
  readonly cannot?: ReadonlyArray<string>
  /** This data type is not among its outputs. */
  readonly givesNo?: string
}

export interface OrderRule {
  /** The code of the issue. */
  readonly code: string
  /** Kinds of requirement: the steps that fulfil one come first. */
  readonly first: ReadonlyArray<string>
  /** Of those steps only the ones whose tools match. */
  readonly counting?: ToolPattern
  /** The steps that come after: by their tools, or those that fulfil a requirement of a kind. */
  readonly later: ToolPattern | { readonly kind: string }
  /** Narrows `later` where the tool alone does not decide. */
  readonly when?: (requirement: Requirement, step: Step, tool: Tool) => boolean
  /** Name of the missing step. With it, a plan without such a step violates the rule, too. */
  readonly missing?: string
  /** `{step}` and `{label}` stand for the step that comes too early and the requirement. */
  readonly message: string
}

export const matchesTool = (pattern: ToolPattern, tool: Tool): boolean => {
  const { cannot, gives, givesNo, takes } = pattern
  if (takes !== undefined && !slotsOf(tool).some(({ type }) => type === takes)) return false
  if (gives !== undefined && !tool.outputs.includes(gives)) return false
  if (givesNo !== undefined && tool.outputs.includes(givesNo)) return false
  return cannot === undefined || !can(tool, ...cannot)
}
