/** A server's question to a model: asked of the stage's own, with its budgets, and without its prompt and its tools. */
import { isObject, type Json } from "@planloom/schema"
import type { Ask, JsonObject, Message, ModelReply } from "@planloom/plugin/effect"
import { cleanText } from "@planloom/plugin/clean"
import { McpFailed } from "../McpFailed.ts"

const MAX_TOKENS = 4096
const MAX_CHARS = 100_000

export const answerSampling = async (
  params: JsonObject,
  ask: (ask: Ask) => Promise<ModelReply>,
): Promise<JsonObject> => {
  const { maxTokens, messages, stopSequences, systemPrompt, temperature } = params
  const { finish, text } = await ask({
    messages: (Array.isArray(messages) ? messages : []).map((one: Json) => messageOf(one)),
    examples: "none",
    parts: "hidden",
    maxTokens: typeof maxTokens === "number" ? Math.min(maxTokens, MAX_TOKENS) : MAX_TOKENS,
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(Array.isArray(stopSequences) ? { stop: stopSequences.map(String) } : {}),
    ...(typeof systemPrompt === "string"
      ? {
          prompt: {
            sections: [{ id: "server", text: cleanText(systemPrompt, MAX_CHARS), stable: true }],
          },
        }
      : {}),
  })
  return {
    role: "assistant",
    model: "planloom",
    content: { type: "text", text },
    stopReason: finish === "length" ? "maxTokens" : "endTurn",
  }
}

/** Texts only: a server that sends images or tools is refused. */
const messageOf = (given: Json): Message => {
  const { content, role } = isObject(given) ? given : {}
  const parts = Array.isArray(content) ? content : [content]
  const texts = parts.map((part) => {
    if (isObject(part) && part["type"] === "text" && typeof part["text"] === "string")
      return part["text"]
    throw new McpFailed("invalid_request", "a server may ask the model by texts only")
  })
  return {
    role: role === "assistant" ? "assistant" : "user",
    content: cleanText(texts.join("\n"), MAX_CHARS),
  }
}
