/** Merges neighboring messages of one role: chat templates of many models accept alternating roles only. */
import type { Content, Message } from "@planloom/plugin/effect"

type Turn = Exclude<Message, { readonly role: "tool" }>

/** Leaves out empty messages, which services refuse. Results of tools stay apart: each belongs to its call. */
export const mergeNeighbors = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const merged: Array<Message> = []
  for (const message of messages) {
    if (isEmpty(message)) continue
    const last = merged.at(-1)
    if (last === undefined || message.role === "tool" || last.role !== message.role) {
      merged.push(message)
    } else merged[merged.length - 1] = joined(last as Turn, message)
  }
  return merged
}

const callsOf = (message: Message) =>
  message.role === "assistant" ? (message.toolCalls ?? []) : []

const isEmpty = (message: Message): boolean =>
  message.role !== "tool" && message.content.length === 0 && callsOf(message).length === 0

const joined = (first: Turn, second: Turn): Message => {
  const content = joinedContent(first.content, second.content)
  if (first.role === "user") return { role: "user", content }
  const toolCalls = [...callsOf(first), ...callsOf(second)]
  return { role: "assistant", content, ...(toolCalls.length === 0 ? {} : { toolCalls }) }
}

const joinedContent = (
  first: Turn["content"],
  second: Turn["content"],
): string | ReadonlyArray<Content> =>
  typeof first === "string" && typeof second === "string"
    ? [first, second].filter((text) => text !== "").join("\n\n")
    : [...partsOf(first), ...partsOf(second)]

const partsOf = (content: Turn["content"]): ReadonlyArray<Content> =>
  typeof content === "string" ? (content === "" ? [] : [{ type: "text", text: content }]) : content
