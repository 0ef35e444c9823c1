/** Puts the question that a stage ended in, and runs the stage again with the answer. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  toFailureRecord,
  Suspended,
  type Failure,
  type FailureRecord,
  type Json,
  type Wait,
} from "@planloom/plugin/effect"
import { below } from "@planloom/plugin/segments"
import type { Occurrence } from "./Occurrence.ts"
import { runOccurrence } from "./runOccurrence.ts"
import { answerTo } from "./question.ts"
import { optionsIn } from "../shown/quotable.ts"

/** Answers after which a stage that asks again fails. */
const MAX_ANSWERS = 10

/** The stage's work with one more answer; undefined unless its failure is a question that can be put. */
export const clarify = (
  occurrence: Occurrence,
  failure: FailureRecord,
): Effect.Effect<Json, Failure> | undefined => {
  const { answers, frame, node } = occurrence
  const { state } = frame
  if (
    failure.class !== "clarification" ||
    // It has been put inside, or has been left without an answer there.
    failure.stage !== undefined ||
    node.onError !== "fail" ||
    node.work.type === "block" ||
    occurrence.unanswered ||
    answers.length >= MAX_ANSWERS ||
    (state.answer === undefined && !state.journal.lasting)
  ) {
    return undefined
  }
  return Effect.flatMap(
    answerTo(frame, node.id, waitFor(occurrence, failure)),
    ({ answer, wait }) => {
      if (answer !== undefined) {
        occurrence.answers = [...answers, { question: failure.message, answer: answer.value }]
        return runOccurrence(occurrence, undefined)
      }
      if (state.journal.lasting) return Effect.die(new Suspended({ waits: [wait] }))
      occurrence.unanswered = true
      return Effect.fail(new StageFailed(toFailureRecord(failure)))
    },
  )
}

const waitFor = ({ answers, path }: Occurrence, { detail, message }: FailureRecord): Wait => ({
  name: below(path, "clarification", answers.length + 1),
  kind: "clarification",
  path,
  message,
  schema: { type: "string", minLength: 1 },
  ...optionsIn(detail),
})
