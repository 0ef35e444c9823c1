/** A message of a request as one text, for people: its parts, and its tool calls with their arguments. */
import type { Message } from "@planloom/plugin/effect"

export const messageText = (message: Message): string => {
  if (message.role === "tool") return `${message.name}: ${JSON.stringify(message.content)}`
  const { content } = message
  const calls = message.role === "assistant" ? (message.toolCalls ?? []) : []
  return [
    ...(typeof content === "string"
      ? [content]
      : content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`))),
    ...calls.map((call) => `${call.name}(${JSON.stringify(call.arguments)})`),
  ].join("\n")
}
