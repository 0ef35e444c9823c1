/** Findings: the outcome of a review. */

/** From mildest to most severe; the most severe wins. */
export const verdicts = ["pass", "flag", "enrich", "replace", "block"] as const
export type Verdict = (typeof verdicts)[number]

/** A part of the reviewed text: `start` inclusive, `end` exclusive, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
  /** The text to put there. */
  readonly text?: string
}

/** The outcome of a review. */
export interface Finding {
  readonly verdict: Verdict
  /** 0…1; below the workflow's threshold a finding counts as `flag`, never as `pass`. */
  readonly confidence: number
  readonly reason: string
  readonly issues?: ReadonlyArray<string>
  /** The text to use instead, or to add, for `replace` and `enrich`. */
  readonly text?: string
  /** Where in the text. */
  readonly spans?: ReadonlyArray<Span>
}

/** What a reviewer protects; policies are set by class. */
export type ReviewerClass = "safety" | "compliance" | "quality" | "tone" | "context" | "intent"
