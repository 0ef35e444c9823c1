/** Decided reviews as test cases of a workflow: all replies are scripted, and the reviews must come to the decision. */
import type { Json, JsonObject, Verdict } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { sampled, withMadeUpData } from "./madeUpData.ts"
import type { ReviewerReplies } from "./ReviewerReplies.ts"
import type { QueuedReview, ReviewDecision, ReviewItem } from "./ReviewItem.ts"

/** A decided item with the inputs of its run. */
export interface DecidedReview {
  readonly id: string
  readonly item: ReviewItem
  readonly decision: ReviewDecision
  readonly inputs: JsonObject
  /** Replies of the reviewers' models, by `repliesFor`. */
  readonly replies: ReviewerReplies
}

/** Replies on the item's text, and on the outputs of its stage that were reviewed later, from the items of the queue. */
export const repliesFor = (
  { path, replies, run }: ReviewItem,
  all: ReadonlyArray<QueuedReview>,
): ReviewerReplies => ({
  ...Object.assign(
    {},
    ...all.map(({ item }) => (item.run === run && item.path === path ? item.replies : {})),
  ),
  ...replies,
})

/** `workflow` is relative to the file; `user` is that of every case, since runs keep none. */
export const reviewCases = (
  workflow: string,
  decided: ReadonlyArray<DecidedReview>,
  user?: JsonObject,
): Effect.Effect<Json> =>
  Effect.map(withMadeUpData, (madeUp) => ({
    apiVersion: "planloom/v1",
    kind: "WorkflowTest",
    workflow,
    tests: decided.map((one) => caseOf(one, user, madeUp)),
  }))

const caseOf = (
  { decision, id, inputs, item, replies: given }: DecidedReview,
  user: JsonObject | undefined,
  madeUp: (value: Json) => Json,
): Json => {
  const { [item.stage]: own = [], ...reviewers } = given
  const replies = [
    ...(item.written === "" ? [] : [{ text: sampled(item.written) }]),
    ...own.map(madeUp),
  ]
  return {
    name: `review ${id}: ${decision.verdict}`,
    given: {
      inputs: madeUp(inputs),
      ...(user === undefined ? {} : { user }),
      models: {
        [item.stage]: replies,
        ...(madeUp(reviewers as unknown as Json) as JsonObject),
      },
    },
    expect: { assert: assertionsOf(decision) },
  }
}

/** In what the decision differs from the recorded reviews, so that its test case fails; undefined if it does not. */
export const differenceOf = ({
  decision: { text, verdict },
  item: { findings, shown, written },
}: Pick<DecidedReview, "decision" | "item">): "verdict" | "text" | undefined => {
  const came = isChange(verdict)
    ? findings.some((finding) => finding.verdict === verdict)
    : !findings.some((finding) => isChange(finding.verdict))
  if (!came) return "verdict"
  return text === undefined || text === (shown ?? written) ? undefined : "text"
}

const reviewsWith = (verdicts: string): string =>
  `events.filter(e, e.type == "Reviewed" && e.verdict in [${verdicts}])`

const assertionsOf = ({ text, verdict }: ReviewDecision): ReadonlyArray<string> => [
  ...(isChange(verdict)
    ? [`size(${reviewsWith(`"${verdict}"`)}) > 0`]
    : [`size(${reviewsWith('"enrich", "replace", "block"')}) == 0`]),
  ...(text === undefined ? [] : [`outputs.exists(name, outputs[name] == ${JSON.stringify(text)})`]),
]

const isChange = (verdict: Verdict): boolean => verdict !== "pass" && verdict !== "flag"
