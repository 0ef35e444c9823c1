/** Opens a reply of a stage for the streamed outputs that it belongs to. */
import type { Ask, ModelReply } from "@planloom/plugin"
import { scrubText, type Secrets } from "../journal/scrub.ts"
import { attemptName } from "../stage/attemptName.ts"
import type { KindOccurrence } from "../stage/Occurrence.ts"
import type { ResetCause } from "./OutputParts.ts"
import type { ReplyOutputs } from "./ReplyFilter.ts"

/** Undefined if the reply is part of no streamed output, or no host reads parts. `number` is that of the call. */
export const openReply = (
  ask: Ask,
  occurrence: KindOccurrence,
  attempt: number,
  number: number,
): ReplyOutputs | undefined => {
  const { frame, node } = occurrence
  const { parts, secrets } = frame.state
  if (ask.parts !== "reply" || node.work.streams.length === 0) return undefined
  if (parts?.pipeline !== frame.pipeline) return undefined
  return {
    parts,
    outputs: node.work.streams,
    message: `${attemptName(occurrence, attempt)}/reply:${number}`,
    cause: causeOf(occurrence, attempt),
    secrets,
  }
}

/** Why this reply would replace an earlier one of the stage. */
const causeOf = ({ feedback, path }: KindOccurrence, attempt: number): ResetCause =>
  attempt > 1
    ? "retry"
    : path.endsWith("/fallback")
      ? "fallback"
      : feedback !== undefined || /~\d+$/.test(path)
        ? "rerun"
        : "retry"

/** The reply as its stage sees it: what has left of it, and nothing else. */
export const settledReply = (reply: ModelReply, secrets: Secrets | undefined): ModelReply => {
  const trimmed = reply.text.trim()
  const text = secrets === undefined ? trimmed : scrubText(secrets, trimmed)
  return text === reply.text ? reply : { ...reply, text }
}
