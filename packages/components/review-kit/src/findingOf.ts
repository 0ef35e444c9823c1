/** Findings of validators: what was found, and what becomes of it. */
import type { Finding, JsonSchema, Span } from "@planloom/plugin/effect"

/** Actions of a validator that knows the places: `replace` puts another text there. */
export const actions = ["flag", "replace", "block"] as const
export type Action = (typeof actions)[number]

/** A place in the text. */
export interface Found {
  readonly start: number
  readonly end: number
  /** What it is: never a part of the text, which may be secret. */
  readonly what: string
  /** Id of its rule, one that its reviewer declares. */
  readonly rule?: string
  /** The text to put there; `[what]` unless written. */
  readonly text?: string
}

/** The finding on these places; `subject` completes "the text has". */
export const findingOf = (
  found: ReadonlyArray<Found>,
  subject: string,
  action: Action,
): Finding => {
  if (found.length === 0) return passed(`the text has no ${subject}`)
  const issues = [...new Set(found.map(({ what }) => what))]
  const rules = [...new Set(found.flatMap(({ rule }) => rule ?? []))]
  return {
    verdict: action,
    confidence: 1,
    reason: `the text has ${subject}: ${issues.join(", ")}`,
    issues,
    ...(rules.length === 0 ? {} : { rules }),
    spans: found.map(({ end, start, text, what }): Span =>
      action === "replace" ? { start, end, text: text ?? `[${what}]` } : { start, end },
    ),
  }
}

export const passed = (reason: string): Finding => ({ verdict: "pass", confidence: 1, reason })

/** Schema of the option `action`. */
export const actionSchema = (standard: Action, replaced: string): JsonSchema => ({
  enum: [...actions],
  description: `What becomes of a text that has some: \`replace\` puts ${replaced} in its place; \`${standard}\` unless written.`,
})
