/** Replies of the models of reviewers, from the recorded calls of a run, as scripts of a test. */
import type { FailureRecord, JsonObject, ModelReply, StoredStep } from "@planloom/plugin/effect"
import type { ReviewItem } from "./ReviewItem.ts"

export interface ReviewerReplies {
  readonly [reviewer: string]: ReadonlyArray<JsonObject>
}

/** `<reply>/gate/<reviewer>:<digest>/…model:<call>:<provider>/<model>`: a model call of a reviewer. */
const CALL = /^(.+)\/gate\/([^/]+?):[0-9a-f]{16}(?::\d+)?(\/.*?model:[^:]+):/

interface ReviewerCall {
  readonly reply: string
  readonly reviewer: string
  /** The same for each model that one call has tried. */
  readonly call: string
  readonly at: number
  readonly outcome: StoredStep["outcome"]
}

/** The replies on the item's text, and on the outputs of its stage that were reviewed later. */
export const reviewerReplies = (
  steps: ReadonlyArray<StoredStep>,
  { at, path, stage }: ReviewItem,
): ReviewerReplies => {
  const calls = steps.flatMap(({ at: recordedAt, name, outcome }): ReadonlyArray<ReviewerCall> => {
    const [call, reply, reviewer] = CALL.exec(name) ?? []
    return call === undefined
      ? []
      : [{ reply: reply!, reviewer: reviewer!, call, at: recordedAt, outcome }]
  })
  const onReplies = calls.filter(({ reply }) => reply.startsWith(`${path}/`))
  // A stage may reply several times; reviews of the item's reply are recorded after it was opened.
  const reviewed = (onReplies.find((one) => one.at >= at) ?? onReplies.at(-1))?.reply
  const isLater = (reply: string) =>
    reply.startsWith("run:correction:") && reply.endsWith(`/${stage}`)
  const outcomes = new Map<string, ReviewerCall>()
  for (const one of calls) {
    if (one.reply !== reviewed && !isLater(one.reply)) continue
    // A test has one model for each reviewer, so a failed one is not followed by another.
    if (outcomes.get(one.call)?.outcome.ok !== true) outcomes.set(one.call, one)
  }
  const replies: Record<string, Array<JsonObject>> = {}
  for (const { outcome, reviewer } of outcomes.values()) {
    const known = (replies[reviewer] ??= [])
    known.push(outcome.ok ? scriptOf(outcome.value as unknown as ModelReply) : failed(outcome))
  }
  return replies
}

const scriptOf = ({ finish, text, toolCalls }: ModelReply): JsonObject => ({
  ...(toolCalls.length === 0
    ? { text }
    : { tool_calls: toolCalls.map(({ arguments: given, name }) => ({ name, arguments: given })) }),
  ...(finish === "length" ? { cut: true } : {}),
})

const failed = ({ failure }: { readonly failure: FailureRecord }): JsonObject => ({
  fail: { class: failure.class, message: failure.message },
})
