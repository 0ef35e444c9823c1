/** Converts the contract's request to the body of OpenAI's chat completions. */
import type OpenAI from "openai"
import type { Content, Message, ModelRequest, SystemBlock } from "@planloom/plugin/effect"
import {
  answerTool,
  describeOutput,
  mergeNeighbors,
  replyStateOf,
  type AnswerTool,
} from "@planloom/provider-kit"
import { functionTools } from "./functionTools.ts"
import { withExtras } from "./withExtras.ts"
import { isStrict } from "./isStrict.ts"
import { toReasoning } from "./reasoning.ts"
import type { ServerOptions } from "./options.ts"
import type { CacheMark } from "./servers.ts"
import type { Origin } from "./completion.ts"
import type { Setting, StructuredMode } from "./Setting.ts"

export type Params = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "stream">

/** The tool that returns JSON; undefined in other modes. */
export const toolFor = (request: ModelRequest, mode: StructuredMode): AnswerTool | undefined =>
  mode === "tool" ? answerTool(request) : undefined

/** Fields that mark a text for the prompt cache. */
const marks = {
  cache_control: { cache_control: { type: "ephemeral" } },
  prompt_cache_breakpoint: { prompt_cache_breakpoint: { mode: "explicit" } },
} as const satisfies { readonly [M in CacheMark]: object }

export const toParams = (
  given: ModelRequest,
  mode: StructuredMode,
  server: ServerOptions,
): Params => {
  const request = mode === "json_object" || mode === "none" ? describeOutput(given) : given
  const { body, cacheMark, maxEffort, omit } = server.model(request.model)
  const origin = { service: server.id, model: request.model }
  const takes = (setting: Setting, value: unknown) => value !== undefined && !omit.includes(setting)
  const { maxTokens, seed, stop, temperature, topK } = request
  return withExtras(
    {
      model: request.model,
      messages: [
        ...toSystem(request.system, cacheMark),
        ...mergeNeighbors(request.messages).map((message) => toMessage(message, origin)),
      ],
      ...functionTools(request),
      ...toOutput(request, mode, server),
      ...(takes("temperature", temperature) ? { temperature: temperature! } : {}),
      ...(takes("top_k", topK) ? { top_k: topK! } : {}),
      ...(takes("seed", seed) ? { seed: seed! } : {}),
      ...(takes("stop", stop?.[0]) ? { stop: [...stop!] } : {}),
      ...(takes("max_tokens", maxTokens) ? { [server.maxTokensField]: maxTokens } : {}),
      ...toReasoning(request.reasoning, server.reasoningField, maxEffort),
    },
    body,
    request.options,
  )
}

/** Requests the token counts at the end of a stream; servers omit them by default. */
export const streamOptions = (
  { model }: ModelRequest,
  server: ServerOptions,
): Pick<OpenAI.ChatCompletionCreateParamsStreaming, "stream_options"> =>
  server.model(model).omit.includes("stream_options")
    ? {}
    : { stream_options: { include_usage: true } }

/** Joins system texts to one message: the chat templates of many local models accept no second one. */
const toSystem = (
  system: ReadonlyArray<SystemBlock>,
  cacheMark: CacheMark | undefined,
): Array<OpenAI.ChatCompletionMessageParam> => {
  if (system.length === 0) return []
  const content =
    cacheMark !== undefined && system.some(({ cache }) => cache === true)
      ? system.map(({ cache, text }) => ({
          type: "text" as const,
          text,
          ...(cache === true ? marks[cacheMark] : {}),
        }))
      : system.map(({ text }) => text).join("\n\n")
  return [{ role: "system", content }]
}

const forcedTool = (
  { description, name, schema }: AnswerTool,
  { toolChoice }: ServerOptions,
): Pick<Params, "tools" | "tool_choice"> => ({
  tools: [
    {
      type: "function",
      function: { name, description, parameters: { ...schema }, strict: isStrict(schema) },
    },
  ],
  tool_choice: toolChoice === "required" ? "required" : { type: "function", function: { name } },
})

const toOutput = (
  request: ModelRequest,
  mode: StructuredMode,
  server: ServerOptions,
): Pick<Params, "response_format" | "tools" | "tool_choice"> => {
  const { output } = request
  if (output === undefined || mode === "none") return {}
  const tool = toolFor(request, mode)
  if (tool !== undefined) return forcedTool(tool, server)
  const { name, schema } = output
  if (mode === "json_object" || typeof schema === "boolean") {
    return { response_format: { type: "json_object" } }
  }
  return {
    response_format: {
      type: "json_schema",
      json_schema: {
        name: formatName(name),
        schema,
        strict: isStrict(schema),
      },
    },
  }
}

const toMessage = (message: Message, origin: Origin): OpenAI.ChatCompletionMessageParam => {
  switch (message.role) {
    case "user":
      return {
        role: "user",
        content:
          typeof message.content === "string" ? message.content : message.content.map(toPart),
      }
    case "assistant": {
      const calls = message.toolCalls ?? []
      const text = textOf(message.content)
      return {
        role: "assistant",
        content: text === "" && calls.length > 0 ? null : text,
        // Outside the SDK's types: each server reads the field that it writes.
        ...(replyStateOf(origin, message) as object | undefined),
        ...(calls.length === 0
          ? {}
          : {
              tool_calls: calls.map(({ arguments: args, id, name }) => ({
                id,
                type: "function" as const,
                function: { name, arguments: JSON.stringify(args) },
              })),
            }),
      }
    }
    case "tool":
      return {
        role: "tool",
        tool_call_id: message.toolCallId,
        content:
          typeof message.content === "string" ? message.content : JSON.stringify(message.content),
      }
  }
}

export const textOf = (content: string | ReadonlyArray<Content>): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join("")

const toPart = (part: Content): OpenAI.ChatCompletionContentPart =>
  part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image_url", image_url: { url: imageUrl(part) } }

export const imageUrl = ({ data, mediaType }: Extract<Content, { readonly type: "image" }>) =>
  data.startsWith("https://") ? data : `data:${mediaType};base64,${data}`

/** Letters, digits, `_` and `-`, at most 64 characters. */
export const formatName = (name: string): string => name.replace(/[^\w-]/g, "_").slice(0, 64)
