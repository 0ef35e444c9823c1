/** Asks for a reply of a stage: through its gate, and to the streamed outputs that it belongs to. */
import * as Effect from "effect/Effect"
import type { Ask, JsonSchema, ModelFailed, ModelReply } from "@planloom/plugin/effect"
import { below } from "@planloom/plugin/segments"
import type { ModelSite } from "../stage/attempt/ModelSite.ts"
import type { ReplyReader } from "../../reply/parts/ReplyReader.ts"
import type { ReplyGate } from "../../reply/parts/throughGate.ts"
import { ReplyParts } from "../../reply/parts/ReplyParts.ts"
import { ValueParts } from "../../reply/parts/ValueParts.ts"
import { openGate } from "./openGate.ts"
import { openReply, settledReply } from "./openReply.ts"

/** The call that asks. */
export interface ReplyCall {
  readonly site: ModelSite
  /** Counts the calls of the attempt. */
  readonly number: number
}

/**
 * The text is the same whether or not a host reads it while it is written. What has left of a reply that is no answer is
 * voided.
 */
export const replyTo = <A extends ModelReply>(
  ask: Ask,
  { number, site }: ReplyCall,
  call: (
    reader: ReplyReader | undefined,
    gate: ReplyGate | undefined,
  ) => Effect.Effect<A, ModelFailed>,
  isAnswer: (reply: A) => boolean = () => true,
): Effect.Effect<A, ModelFailed> => {
  const { attempt, occurrence } = site
  const outputs = openReply(ask, occurrence, attempt, number)
  const reader = outputs && new ReplyParts(outputs)
  const name = below(site.attemptPath, "model", number)
  const gate = openGate({ site, name }, reader)
  return Effect.flatMap(call(reader, gate), (given) => {
    const reply = settledReply(site, occurrence, given)
    const ended = isAnswer(reply) ? reader?.end(reply.text) : reader?.discard()
    return Effect.as(ended ?? Effect.void, reply)
  })
}

/** The reader of a JSON reply. A gate reads text: with one, no part of a value leaves before the whole. */
export const valueReader = (
  ask: Ask,
  { number, site: { attempt, occurrence } }: ReplyCall,
  schema: JsonSchema,
): ValueParts | undefined => {
  if (occurrence.node.gate !== undefined) return undefined
  const outputs = openReply(ask, occurrence, attempt, number)
  return outputs && new ValueParts(outputs, schema)
}
