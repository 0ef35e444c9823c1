/** Converts the contract's request to the body of Ollama's own `/api/chat`. */
import type { Content, Json, JsonObject, Message, ModelRequest } from "@planloom/plugin/effect"
import { functionTools } from "../functionTools.ts"
import { withExtras } from "../withExtras.ts"
import { describeOutput, mergeNeighbors, replyStateOf } from "@planloom/provider-kit"
import type { ServerOptions } from "../options.ts"
import { toEffort } from "../reasoning.ts"
import type { Setting, StructuredMode } from "../Setting.ts"
import { textOf } from "../toParams.ts"
import type { Origin } from "../completion.ts"

/**
 * `truncate` and `shift` are off: the server would otherwise drop the oldest messages of a prompt that is longer than
 * `num_ctx`, or of a reply that reaches it, silently.
 */
export const toOllamaParams = (
  given: ModelRequest,
  mode: StructuredMode,
  server: ServerOptions,
): JsonObject => {
  const request = mode === "json_object" || mode === "none" ? describeOutput(given) : given
  const { body, keepAlive, maxEffort, numCtx, omit } = server.model(request.model)
  const takes = (setting: Setting, value: unknown) => value !== undefined && !omit.includes(setting)
  const { maxTokens, reasoning, seed, stop, temperature, topK } = request
  const origin = { service: server.id, model: request.model }
  const { options, ...more } = body as { readonly options?: JsonObject } & JsonObject
  return withExtras(
    {
      model: request.model,
      messages: [
        ...toSystem(request),
        ...mergeNeighbors(request.messages).map((message) => toMessage(message, origin)),
      ],
      ...functionTools(request),
      ...toFormat(request, mode),
      ...(reasoning === undefined
        ? {}
        : { think: reasoning === "none" ? false : toEffort(reasoning, maxEffort) }),
      ...(keepAlive === undefined ? {} : { keep_alive: keepAlive }),
      truncate: false,
      shift: false,
      options: {
        num_ctx: numCtx,
        ...(takes("temperature", temperature) ? { temperature: temperature! } : {}),
        ...(takes("top_k", topK) ? { top_k: topK! } : {}),
        ...(takes("seed", seed) ? { seed: seed! } : {}),
        ...(takes("stop", stop?.[0]) ? { stop: [...stop!] } : {}),
        ...(takes("max_tokens", maxTokens) ? { num_predict: maxTokens! } : {}),
        ...options,
      },
    },
    more,
    request.options,
  )
}

const toSystem = ({ system }: ModelRequest): ReadonlyArray<JsonObject> =>
  system.length === 0
    ? []
    : [{ role: "system", content: system.map(({ text }) => text).join("\n\n") }]

const toFormat = ({ output }: ModelRequest, mode: StructuredMode): JsonObject => {
  if (output === undefined || mode === "none") return {}
  return mode === "json_object" || typeof output.schema === "boolean"
    ? { format: "json" }
    : { format: output.schema as JsonObject }
}

const toMessage = (message: Message, origin: Origin): JsonObject => {
  switch (message.role) {
    case "user": {
      const images = imagesOf(message.content)
      return {
        role: "user",
        content: textOf(message.content),
        ...(images.length === 0 ? {} : { images }),
      }
    }
    case "assistant": {
      const calls = message.toolCalls ?? []
      return {
        role: "assistant",
        content: textOf(message.content),
        ...(replyStateOf(origin, message) as JsonObject | undefined),
        ...(calls.length === 0
          ? {}
          : {
              tool_calls: calls.map(({ arguments: args, id, name }) => ({
                id,
                function: { name, arguments: args },
              })),
            }),
      }
    }
    case "tool":
      return {
        role: "tool",
        tool_call_id: message.toolCallId,
        tool_name: message.name,
        content: asText(message.content),
      }
  }
}

const asText = (content: Json): string =>
  typeof content === "string" ? content : JSON.stringify(content)

const imagesOf = (content: string | ReadonlyArray<Content>): ReadonlyArray<string> =>
  typeof content === "string"
    ? []
    : content.flatMap((part) => (part.type === "image" ? [part.data] : []))
