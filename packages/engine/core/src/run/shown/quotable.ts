/** What the failure of a stage says where a gate reads what its model writes: its class, and no text of the model. */
import * as Effect from "effect/Effect"
import {
  failureClasses,
  toFailureRecord,
  type FailureRecord,
  type Json,
  type JsonObject,
  type StageFailed,
} from "@planloom/plugin/effect"
import { below } from "@planloom/plugin/segments"
import type { Frame } from "../Frame.ts"
import type { Occurrence } from "../stage/Occurrence.ts"
import { blocked } from "./blocked.ts"
import { mayQuote, shownByStage } from "./showing.ts"

interface Place {
  readonly frame: Frame
  readonly path: string
  readonly stage: string
}

/** The failure without what it may quote; the note `unshown_failure` keeps the whole for operators. */
export const unquoted = ({ frame, path, stage }: Place, failure: FailureRecord): FailureRecord => {
  if (!mayQuote(frame, stage) || isOwn(failure)) return failure
  const message = failureClasses[failure.class]
  if (failure.message === message && failure.detail === undefined) return failure
  const { detail: _, ...rest } = toFailureRecord(failure)
  frame.state.emit({
    type: "Noted",
    path,
    stage,
    note: "unshown_failure",
    data: toFailureRecord(failure) as unknown as Json,
    audience: "operator",
    text: failure.message,
  })
  return { ...rest, message }
}

/** The same for a failure that leaves its stage: one that is a question passes the gate. */
export const quotable = (
  { answers, frame, node, path }: Occurrence,
  failure: FailureRecord,
): Effect.Effect<FailureRecord, StageFailed> => {
  const { id: stage } = node
  if (!mayQuote(frame, stage) || isInner(node, failure)) return Effect.succeed(failure)
  if (failure.class !== "clarification") {
    return Effect.succeed(unquoted({ frame, path, stage }, failure))
  }
  const question = { message: failure.message, ...optionsIn(failure.detail) }
  const name = below(path, "shown", `clarification:${answers.length + 1}`)
  return Effect.map(shownByStage({ frame, name, path, stage }, question), (shown) => {
    const { detail: _, ...rest } = toFailureRecord(failure)
    if (shown.isBlocked) return { ...rest, ...toFailureRecord(blocked("the question")) }
    const { message, ...options } = shown.value
    return { ...rest, message, ...("options" in options ? { detail: options as Json } : {}) }
  })
}

/** Inside of a block its stages have failed; what they said has passed. */
const isInner = ({ work }: Occurrence["node"], { stage }: FailureRecord): boolean =>
  work.type === "block" && stage !== undefined

/** Details of failures whose words are the engine's: no model has written anything then. */
const ownDetails = ['{"cassette":"stale"}', '{"gate":"text_calls"}']

const isOwn = ({ class: failure, detail }: FailureRecord): boolean =>
  (failure === "store" || failure === "invalid_request") &&
  ownDetails.includes(JSON.stringify(detail) ?? "")

/** Suggested answers of a question. */
export const optionsIn = (detail: Json | undefined): { readonly options?: ReadonlyArray<Json> } => {
  if (typeof detail !== "object" || detail === null || Array.isArray(detail)) return {}
  const options = (detail as JsonObject)["options"]
  return Array.isArray(options) ? { options } : {}
}
