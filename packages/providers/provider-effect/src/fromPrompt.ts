/** Converts the messages of an Effect AI prompt to the contract's system blocks and messages. */
import type {
  AssistantMessagePart,
  FilePart,
  Message as AiMessage,
  ToolMessagePart,
  UserMessagePart,
} from "effect/ai/Prompt"
import type {
  Content,
  Json,
  JsonObject,
  Message,
  ModelRequest,
  ToolCall,
} from "@planloom/plugin/effect"

/** Key of Planloom's own options and metadata. */
export const OPTIONS_KEY = "planloom"

/** `{ planloom: { cache: true } }` in the options of a system message marks the end of a prefix to cache. */
export const fromPrompt = (
  messages: ReadonlyArray<AiMessage>,
): Pick<ModelRequest, "system" | "messages"> => ({
  system: messages.flatMap((message) =>
    message.role === "system"
      ? [
          {
            text: message.content,
            ...(planloomOptions(message.options)["cache"] === true ? { cache: true } : {}),
          },
        ]
      : [],
  ),
  messages: messages.flatMap(toMessages),
})

const toMessages = (message: AiMessage): ReadonlyArray<Message> => {
  switch (message.role) {
    case "system":
      return []
    case "user":
      return [{ role: "user", content: message.content.flatMap(toContent) }]
    case "assistant": {
      const toolCalls = message.content.flatMap(toCall)
      return [
        {
          role: "assistant",
          content: message.content.flatMap(toContent),
          ...(toolCalls.length === 0 ? {} : { toolCalls }),
        },
        ...message.content.flatMap(toResult),
      ]
    }
    case "tool":
      return message.content.flatMap(toResult)
  }
}

/** Converts text and images; drops other files, and reasoning, which services accept only with their signature. */
const toContent = (part: UserMessagePart | AssistantMessagePart): ReadonlyArray<Content> => {
  if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }]
  return part.type === "file" && part.mediaType.startsWith("image/")
    ? [{ type: "image", mediaType: part.mediaType, data: dataOf(part) }]
    : []
}

const dataOf = ({ data }: FilePart): string => {
  if (typeof data === "string") return data.replace(/^data:[^,]*,/, "")
  return data instanceof URL ? data.href : Buffer.from(data).toString("base64")
}

const toCall = (part: AssistantMessagePart): ReadonlyArray<ToolCall> => {
  if (part.type !== "tool-call" || part.providerExecuted) return []
  const { signature } = planloomOptions(part.options)
  return [
    {
      id: part.id,
      name: part.name,
      arguments: (part.params ?? {}) as JsonObject,
      ...(typeof signature === "string" ? { signature } : {}),
    },
  ]
}

const toResult = (part: AssistantMessagePart | ToolMessagePart): ReadonlyArray<Message> =>
  part.type === "tool-result"
    ? [
        {
          role: "tool",
          toolCallId: part.id,
          name: part.name,
          content: part.isFailure
            ? { error: part.result as Json }
            : ((part.result ?? null) as Json),
        },
      ]
    : []

const planloomOptions = (options: unknown): { readonly [key: string]: unknown } =>
  ((options ?? {}) as { readonly [name: string]: { readonly [key: string]: unknown } | undefined })[
    OPTIONS_KEY
  ] ?? {}
