/** Moves reasoning from the text of a reply into its `reasoning`, and emits it. */
import type { ModelReply } from "@planloom/plugin/effect"
import { emitReasoning, type ReplySite } from "../ReplySite.ts"
import { splitReasoning } from "./splitReasoning.ts"

export const withoutReasoning = <R extends ModelReply>(site: ReplySite, reply: R): R => {
  const { reasoning: thought, text } = splitReasoning(reply.text)
  if (thought === "") {
    emitReasoning(site, reply.model, reply.reasoning)
    return text === reply.text ? reply : { ...reply, text }
  }
  const reasoning = reply.reasoning === "" ? thought : `${reply.reasoning}\n\n${thought}`
  emitReasoning(site, reply.model, reasoning)
  return { ...reply, text, reasoning }
}
