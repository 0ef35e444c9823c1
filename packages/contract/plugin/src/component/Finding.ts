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
  /** For the people of the review queue; events and the record do not have it, because it may quote the text. */
  readonly reason: string
  /** As `reason`: the problems one by one. */
  readonly issues?: ReadonlyArray<string>
  /** The rules that decided, of those that the reviewer declares. */
  readonly rules?: ReadonlyArray<string>
  /** The text to use instead, or to add, for `replace` and `enrich`. */
  readonly text?: string
  /** Where in the text. */
  readonly spans?: ReadonlyArray<Span>
  /** No model was there to judge, and nothing else was found: a flag for which the review queue gets no item. */
  readonly unjudged?: true
}

/** A finding as events have it: without a word of its reviewer. */
export interface ReportedFinding extends Pick<Finding, "verdict" | "confidence" | "rules"> {
  /** How many places of the text it names. */
  readonly places?: number
  /** Characters of these places. */
  readonly length?: number
}

export const reportedFinding = ({
  confidence,
  rules = [],
  spans = [],
  verdict,
}: Finding): ReportedFinding => ({
  verdict,
  confidence: roundedConfidence(confidence),
  ...(rules.length === 0 ? {} : { rules: [...new Set(rules)] }),
  ...(spans.length === 0
    ? {}
    : { places: spans.length, length: spans.reduce((sum, one) => sum + one.end - one.start, 0) }),
})

/** Digits of a number are a text, too: more than two of them say nothing about a review. */
export const roundedConfidence = (confidence: number): number => Math.round(confidence * 100) / 100

/** A finding as a stage kind has it: with a text only where the verdict puts one. */
export type StageFinding = Omit<Finding, "reason" | "issues" | "unjudged">

/** What a reviewer protects; policies are set by class. */
export type ReviewerClass = "safety" | "compliance" | "quality" | "tone" | "context" | "intent"
