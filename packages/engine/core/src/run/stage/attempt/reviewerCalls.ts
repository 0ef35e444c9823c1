/** The model calls of one review: what they cost, their replies for the review queue, and what events have of them. */
import * as Effect from "effect/Effect"
import {
  failureClasses,
  roundedConfidence,
  type Failure,
  type FailureRecord,
  type Finding,
  type Json,
  type ModelReply,
  type ReviewCost,
  type ReviewerReply,
  type RunEvent,
  type Untimed,
} from "@planloom/plugin/effect"
import { callOf } from "@planloom/plugin/segments"

export const reviewerCalls = (reviewer: string, emit: (event: Untimed<RunEvent>) => void) => {
  let cost: { tokens: number; usd: number } | undefined
  const replies = new Map<string, ReviewerReply>()
  return {
    cost: (): ReviewCost | undefined => cost,
    replies: (): ReadonlyArray<ReviewerReply> => [...replies.values()],
    /** A model that failed may be followed by another one. */
    replied: <A extends Json, E extends Failure, R>(name: string, call: Effect.Effect<A, E, R>) => {
      const key = callOf(name)
      return Effect.tapError(
        Effect.tap(call, (reply) => Effect.sync(() => replies.set(key, replyOf(reply)))),
        ({ class: failed, message }) =>
          Effect.sync(() => replies.set(key, { failure: { class: failed, message } })),
      )
    },
    emit: (event: Untimed<RunEvent>): void => {
      if (event.type === "ModelCalled") {
        cost ??= { tokens: 0, usd: 0 }
        cost.tokens += event.usage.input + event.usage.output
        cost.usd += event.cost ?? 0
      }
      const reported = reportedEvent(event, reviewer)
      if (reported !== undefined) emit(reported)
    },
  }
}

const replyOf = (reply: Json): ReviewerReply => {
  const { finish, text, toolCalls } = reply as unknown as ModelReply
  return { finish, text, toolCalls }
}

/** Without what the model wrote, and what its service says about it: both may quote what is reviewed. */
const reportedEvent = (
  event: Untimed<RunEvent>,
  reviewer: string,
): Untimed<RunEvent> | undefined => {
  switch (event.type) {
    case "ModelCalled": {
      const { failure } = event
      return failure === undefined
        ? { ...event, reviewer }
        : { ...event, reviewer, failure: kindOf(failure) }
    }
    case "ReplyRead": {
      const { issues: _, repairs: __, ...read } = event
      return { ...read, reviewer }
    }
    case "HookRan": {
      const { failure, finding, patch: _, ...ran } = event
      return {
        ...ran,
        ...(finding === undefined ? {} : { finding: withoutWords(finding) }),
        ...(failure === undefined ? {} : { failure: kindOf(failure) }),
      }
    }
    case "Progressed":
    case "ToolProgressed":
    case "Reasoned":
      return undefined
    default:
      return event
  }
}

const withoutWords = ({ confidence, rules, verdict }: Finding): Finding => ({
  verdict,
  confidence: roundedConfidence(confidence),
  reason: "",
  ...(rules === undefined ? {} : { rules }),
})

const kindOf = ({ detail: _, message: __, ...failure }: FailureRecord): FailureRecord => ({
  ...failure,
  message: failureClasses[failure.class],
})
