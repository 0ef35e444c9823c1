/** Opens a reply of a stage for the streamed outputs that it belongs to. */
import type { Ask, Json, ModelReply, ReportedFinding } from "@planloom/plugin/effect"
import { attemptName, below, endsIn, lastOf } from "@planloom/plugin/segments"
import { withoutReasoning } from "../../reply/text/withoutReasoning.ts"
import type { ReplyOutputs } from "../../reply/parts/ReplyFilter.ts"
import type { ReplySite } from "../../reply/ReplySite.ts"
import type { CallSite } from "../../model/CallSite.ts"
import type { Pipeline } from "../../pipeline/Pipeline.ts"
import { noteEvent } from "../stage/attempt/noteEvent.ts"
import { REPLY_BLOCKED } from "../journal/RunCalls.ts"
import { scrubText, type Secrets } from "../journal/scrub.ts"
import { SecretFilter } from "../journal/SecretFilter.ts"
import type { KindOccurrence } from "../stage/Occurrence.ts"
import type { ResetCause } from "../../reply/parts/OutputParts.ts"

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
  if (parts?.declared !== frame.pipeline.outputs) return undefined
  return {
    parts,
    outputs: node.work.streams,
    message: below(attemptName(occurrence, attempt), "reply", number),
    cause: causeOf(occurrence, attempt),
    redacting: redactingOf(secrets),
    showing: ask.showing,
  }
}

/** Why this reply would replace an earlier one of the stage. */
const causeOf = ({ feedback, path }: KindOccurrence, attempt: number): ResetCause =>
  attempt > 1
    ? "retry"
    : endsIn(path, "fallback")
      ? "fallback"
      : feedback !== undefined || lastOf(path).round > 1
        ? "rerun"
        : "retry"

/** The reply as its stage sees it: what has left of it, and nothing else. */
export const settledReply = <A extends ModelReply>(
  site: CallSite,
  { frame: { pipeline, state }, node: { gate } }: KindOccurrence,
  given: A & { readonly findings?: ReadonlyArray<ReportedFinding> },
): A => {
  const { findings, ...gated } = given
  if (findings === undefined) {
    const reply = withoutReasoning(site, given)
    const text = cleanText(reply.text, state.secrets)
    return text === reply.text ? reply : { ...reply, text }
  }
  if (gate !== undefined) state.settled.add(gate, gated.text)
  noteFindings(site, pipeline, findings)
  if (given.blocked === true) noteBlocked(site, pipeline)
  return gated as unknown as A
}

/** Reports the findings of a gate that do not pass. */
export const noteFindings = (
  site: ReplySite,
  pipeline: Pipeline,
  findings: ReadonlyArray<ReportedFinding>,
): void => {
  const notable = findings.filter(({ verdict }) => verdict !== "pass")
  if (notable.length === 0) return
  site.emit(noteEvent(pipeline, site, "gate_findings", notable as unknown as Json))
}

/** Reports that the user reads another text than the reply: what was only looked up for it is not known to the user. */
export const noteBlocked = (site: ReplySite, pipeline: Pipeline): void =>
  site.emit(noteEvent(pipeline, site, REPLY_BLOCKED, {}, { audience: "operator" }))

/** Takes secrets out of a text that is being written. */
export const redactingOf = (secrets: Secrets | undefined): ReplyOutputs["redacting"] =>
  secrets && (() => new SecretFilter(secrets))

/** Trimmed, without secrets. */
export const cleanText = (text: string, secrets: Secrets | undefined): string =>
  secrets === undefined ? text.trim() : scrubText(secrets, text.trim())
