/** Compares the output that an example expects of a stage with the result of its run. */
import { isObject } from "@planloom/schema"
import type { FailureRecord, Json } from "@planloom/plugin/effect"
import type { Judgement } from "../metrics/judgements.ts"
import { differences } from "./differences.ts"

interface Example {
  readonly output: Json
  readonly expect: Json | undefined
}

export interface StageEnd {
  /** Undefined if the stage had no output. */
  readonly output: Json | undefined
  /** The stage's confidence; undefined if it reported none. */
  readonly judgement: Judgement | undefined
  /** Why the stage has no output. */
  readonly failure: FailureRecord | undefined
  /** Whether the run ended in a question, which is the failure's message. */
  readonly asked: boolean
}

/**
 * Compares `expect` if the example has one. Otherwise compares the whole output except `confidence`, which varies
 * between replies: it only has to be on the same side of the threshold.
 */
export const exampleMisses = (
  { expect, output: shown }: Example,
  { asked, failure, judgement, output }: StageEnd,
): ReadonlyArray<string> => {
  const confidence =
    expect === undefined && judgement !== undefined ? confidenceIn(shown) : undefined
  const isUnsure = confidence !== undefined && confidence < judgement!.threshold
  if (output === undefined) {
    if (!asked) return [failure?.message ?? "the stage gave no output"]
    if (!isUnsure || judgement?.asks !== true) return [question(failure, judgement)]
    // The example's reply makes the stage ask; the failure's detail contains the output it asks about.
    const { detail } = failure ?? {}
    return confidenceIn(detail) === undefined ? [] : differences(withoutConfidence(shown), detail)
  }
  const found = confidenceIn(output)
  if (confidence === undefined || found === undefined) return differences(expect ?? shown, output)
  const { threshold } = judgement!
  const below = (value: number) => (value < threshold ? "below" : "not below")
  return [
    ...differences(withoutConfidence(shown), output),
    ...(below(confidence) === below(found)
      ? []
      : [
          `confidence: expected ${confidence}, ${below(confidence)} the threshold of ${threshold}; found ${found}, which is ${below(found)} it`,
        ]),
  ]
}

const confidenceIn = (output: Json | undefined): number | undefined => {
  const confidence = isObject(output) ? output["confidence"] : undefined
  return typeof confidence === "number" ? confidence : undefined
}

const withoutConfidence = (output: Json): Json => {
  if (!isObject(output)) return output
  const { confidence: _, ...rest } = output
  return rest
}

const question = (failure: FailureRecord | undefined, judgement: Judgement | undefined): string => {
  const of = failure?.stage === undefined ? "" : ` of ${failure.stage}`
  const why =
    judgement?.asks === true
      ? ` (confidence ${judgement.confidence}, below the threshold of ${judgement.threshold})`
      : ""
  return `the run ended in a question${of}: ${failure?.message ?? "it waits for an answer"}${why}`
}
