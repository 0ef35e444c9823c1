/** What an example says a stage should give, and what came of its run → where they differ. */
import { isObject } from "@planloom/schema"
import type { FailureRecord, Json } from "@planloom/plugin"
import type { Judgement } from "@planloom/testing"
import { differences } from "./differences.ts"

interface Example {
  readonly output: Json
  readonly expect: Json | undefined
}

export interface StageEnd {
  /** Undefined where the stage gave none. */
  readonly output: Json | undefined
  /** How sure it said it was; undefined where it did not say. */
  readonly judgement: Judgement | undefined
  /** Why it gave no output. */
  readonly failure: FailureRecord | undefined
  /** The run ended in a question, the failure's message. */
  readonly asked: boolean
}

/**
 * Where the example says what to expect, that holds to the letter. Otherwise its whole output does, except for how
 * sure the model is: no two answers are equally so, and what counts is whether the stage goes on with it or asks.
 */
export const exampleMisses = (
  { expect, output: shown }: Example,
  { asked, failure, judgement, output }: StageEnd,
): ReadonlyArray<string> => {
  const sure = expect === undefined && judgement !== undefined ? sureIn(shown) : undefined
  const unsure = sure !== undefined && sure < judgement!.threshold
  if (output === undefined) {
    if (!asked) return [failure?.message ?? "the stage gave no output"]
    if (!unsure || judgement?.asks !== true) return [question(failure, judgement)]
    // The example shows a reply that makes the stage ask. What it asks about is what it would have given.
    const { detail } = failure ?? {}
    return sureIn(detail) === undefined ? [] : differences(withoutSure(shown), detail)
  }
  const found = sureIn(output)
  if (sure === undefined || found === undefined) return differences(expect ?? shown, output)
  const { threshold } = judgement!
  const below = (value: number) => (value < threshold ? "below" : "not below")
  return [
    ...differences(withoutSure(shown), output),
    ...(below(sure) === below(found)
      ? []
      : [
          `confidence: expected ${sure}, ${below(sure)} the threshold of ${threshold}; found ${found}, which is ${below(found)} it`,
        ]),
  ]
}

const sureIn = (output: Json | undefined): number | undefined => {
  const sure = isObject(output) ? output["confidence"] : undefined
  return typeof sure === "number" ? sure : undefined
}

const withoutSure = (output: Json): Json => {
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
