/** Shadow subagents and validators, which review an answer without writing it. */
import type { Effect } from "effect/Effect"
import type { Failure } from "./Failure.ts"
import type { Json, JsonObject } from "./Json.ts"
import type { ModelClient } from "./Stage.ts"

/** From mildest to most severe; the most severe wins. */
export const verdicts = ["pass", "flag", "enrich", "replace", "block"] as const
export type Verdict = (typeof verdicts)[number]

export interface Finding {
  readonly verdict: Verdict
  /** 0…1; below the workflow's threshold a finding counts as `flag`, never as `pass`. */
  readonly confidence: number
  readonly reason: string
  /** The text to use instead, or to add, for `replace` and `enrich`. */
  readonly text?: string
}

/** The answer under review. */
export interface Draft {
  readonly request: string
  readonly text: string
  readonly data: Json
}

export interface Subagent {
  readonly id: string
  readonly summary: string
  readonly review: (
    draft: Draft,
    context: { readonly with: JsonObject; readonly model: ModelClient },
  ) => Effect<Finding, Failure>
}

/** A deterministic check of a text: no model, no effect. */
export interface Validator {
  readonly id: string
  readonly summary: string
  /** The longest match it can make, in characters: the part of a stream to hold back. */
  readonly window?: number
  readonly validate: (text: string, options: JsonObject) => Finding
}
