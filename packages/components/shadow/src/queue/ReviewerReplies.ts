/** Replies of the models of reviewers, as scripts of a test: only the review queue has them. */
import {
  isCut,
  type GateContext,
  type Json,
  type JsonObject,
  type Reviewed,
  type ReviewerReply,
} from "@planloom/plugin/effect"
import { inRun } from "@planloom/plugin/segments"
import type { Panel } from "../review/Panel.ts"

/** By id of the reviewer, in the order in which it asked. */
export interface ReviewerReplies {
  readonly [reviewer: string]: ReadonlyArray<JsonObject>
}

/** Texts whose replies are kept for their later reviews; the oldest are forgotten. */
const MAX_TEXTS = 1_000

/** A panel for one text, with what the models of its reviews reply. */
export const withReplies = (
  panel: Panel,
): { readonly panel: Panel; readonly replies: ReviewerReplies } => {
  const replies: Record<string, Array<JsonObject>> = {}
  const onReview = ({ replies: given = [], reviewer }: Reviewed) => {
    if (given.length > 0) (replies[reviewer] ??= []).push(...given.map(scriptOf))
  }
  return { panel: panel.watched(onReview), replies }
}

/** Replies about the texts that passed a gate: a test of their later reviews runs the gate, too. */
export class GateReplies {
  private readonly known = new Map<string, ReviewerReplies>()

  keep({ path, run }: GateContext, replies: ReviewerReplies): void {
    const key = inRun(run, path)
    this.known.delete(key)
    this.known.set(key, replies)
    if (this.known.size > MAX_TEXTS) this.known.delete(this.known.keys().next().value!)
  }

  /** Of the text that left last; none after a resume in another process. */
  take({ path, run }: GateContext): ReviewerReplies {
    const key = inRun(run, path)
    const found = this.known.get(key) ?? {}
    this.known.delete(key)
    return found
  }
}

const scriptOf = (reply: ReviewerReply): JsonObject => {
  if ("failure" in reply) {
    const { class: failed, message } = reply.failure
    return { fail: { class: failed, message } }
  }
  const { finish, text, toolCalls } = reply
  return {
    ...(toolCalls.length === 0
      ? { text }
      : {
          tool_calls: toolCalls.map(({ arguments: given, name }) => ({ name, arguments: given })),
        }),
    ...(isCut(finish) ? { cut: true } : {}),
  }
}

/** The value with each of its texts changed; names stay. */
export const mapTexts =
  (change: (text: string) => string) =>
  (value: Json): Json => {
    const map = mapTexts(change)
    if (typeof value === "string") return change(value)
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return value.map((one: Json) => map(one))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one)]))
  }
