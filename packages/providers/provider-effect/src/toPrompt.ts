/** Converts the contract's system blocks and messages to the messages of an Effect AI prompt. */
import type {
  FilePartEncoded,
  MessageEncoded,
  ProviderOptions,
  TextPartEncoded,
} from "effect/ai/Prompt"
import type { Content, Message, ModelRequest } from "@planloom/plugin/effect"

/** `cache` is set on the system blocks that end a prefix to cache. */
export const toPrompt = (
  request: Pick<ModelRequest, "system" | "messages">,
  cache?: ProviderOptions,
): ReadonlyArray<MessageEncoded> => [
  ...request.system.map((block): MessageEncoded => ({
    role: "system",
    content: block.text,
    ...(block.cache === true && cache !== undefined ? { options: cache } : {}),
  })),
  ...request.messages.map(toMessage),
]

const toMessage = (message: Message): MessageEncoded => {
  switch (message.role) {
    case "user":
      return { role: "user", content: parts(message.content) }
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...parts(message.content),
          ...(message.toolCalls ?? []).map(
            ({ arguments: params, id, name }) => ({ type: "tool-call", id, name, params }) as const,
          ),
        ],
      }
    case "tool":
      return {
        role: "tool",
        content: [
          {
            type: "tool-result",
            id: message.toolCallId,
            name: message.name,
            isFailure: false,
            result: message.content,
          },
        ],
      }
  }
}

/** Content parts without empty texts: providers refuse them, and messages with only tool calls have one. */
const parts = (
  content: string | ReadonlyArray<Content>,
): ReadonlyArray<TextPartEncoded | FilePartEncoded> =>
  (typeof content === "string" ? [{ type: "text", text: content } as const] : content).flatMap(
    (part): ReadonlyArray<TextPartEncoded | FilePartEncoded> => {
      if (part.type === "image") {
        return [{ type: "file", mediaType: part.mediaType, data: part.data }]
      }
      return part.text === "" ? [] : [{ type: "text", text: part.text }]
    },
  )
