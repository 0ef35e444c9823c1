/** Claims: which words of a request were used, and for what. */
import { sameJson } from "@planloom/schema"
import type { Json } from "@planloom/plugin/effect"

/** A requirement by its id, a step or one of its values, or an intent. */
export type Use =
  | { readonly requirement: string }
  | { readonly step: string; readonly param?: string; readonly value?: Json }
  | { readonly intent: string }

/** Nothing of a request is consumed without a claim that states its use. */
export interface Claim {
  /** Offsets in the text, as of `Word`. */
  readonly start: number
  readonly end: number
  /** A rule's name, `model`, or `answer`. */
  readonly by: string
  /** False for an interpretation: a synonym, a corrected typo, a model's word. */
  readonly certain: boolean
  readonly used: Use
  /** An interpretation in words, for people: `"sales" read as revenue`. */
  readonly note?: string
}

/** Whether two uses are of the same part. A use without `value` is of any value, one without `param` of any. */
export const isSameUse = (left: Use, right: Use): boolean => {
  if ("requirement" in left) return "requirement" in right && left.requirement === right.requirement
  if ("intent" in left) return "intent" in right && left.intent === right.intent
  if (!("step" in right) || left.step !== right.step) return false
  if (left.param === undefined || right.param === undefined) return true
  if (left.param !== right.param) return false
  if (left.value === undefined || right.value === undefined) return true
  return sameJson(left.value, right.value)
}
