/** Converts the contract's request to the parameters of Anthropic's Messages API. */
import type Anthropic from "@anthropic-ai/sdk"
import type { Content, Message, ModelRequest } from "@planloom/plugin/effect"
import { withOptions } from "@planloom/plugin/facts"
import { describeOutput } from "@planloom/provider-kit"
import { acceptsSampling, type AnthropicOptions } from "./options.ts"
import type { OutputForm } from "./outputForms.ts"
import { rejectsSampling, toThinking } from "./reasoning.ts"
import { replyBlocksOf } from "./replyBlocks.ts"

type Params = Omit<Anthropic.MessageCreateParamsNonStreaming, "stream">
type Block = Anthropic.ContentBlockParam

/** The service's limit per request. */
const MAX_CACHE_MARKS = 4

const mark = { cache_control: { type: "ephemeral" } } as const

export const toParams = (
  given: ModelRequest,
  form: OutputForm,
  options: AnthropicOptions,
  /** The model's blocks of the turn so far, if the service paused it. */
  paused?: ReadonlyArray<Anthropic.ContentBlock>,
): Params => {
  const request = form.form === "text" ? describeOutput(given) : given
  const maxTokens = request.maxTokens ?? options.maxTokens
  const { output_config: effort, thinking } = toThinking(request, maxTokens)
  const format =
    form.form === "native"
      ? ({ format: { type: "json_schema", schema: { ...form.schema } } } as const)
      : undefined
  return withOptions<Params>(
    {
      model: request.model,
      max_tokens: maxTokens,
      messages: [
        ...toMessages(request),
        ...(paused === undefined
          ? []
          : [{ role: "assistant", content: [...paused] as Array<Block> } as const]),
      ],
      ...(request.system.length === 0 ? {} : { system: toSystem(request) }),
      ...toTools(request, form),
      ...(effort === undefined && format === undefined
        ? {}
        : { output_config: { ...effort, ...format } }),
      ...((request.stop ?? []).length === 0 ? {} : { stop_sequences: [...request.stop!] }),
      ...(thinking === undefined || isUnexplained(request, thinking) ? {} : { thinking }),
      // The SDK's types omit these; older versions of the service accept them.
      ...(acceptsSampling(options) && !rejectsSampling(request.model, request.reasoning)
        ? {
            ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
            ...(request.topK === undefined ? {} : { top_k: request.topK }),
          }
        : {}),
    },
    request.options,
  )
}

/** Converts system blocks; of more cache marks than the service accepts, the last ones (longest prefixes) remain. */
const toSystem = (request: ModelRequest): Array<Anthropic.TextBlockParam> => {
  const blocks = request.system.filter(({ text }) => text.trim() !== "")
  const marked = blocks.flatMap(({ cache }, index) => (cache === true ? [index] : []))
  const left = MAX_CACHE_MARKS - (isInLoop(request) ? 1 : 0)
  const kept = new Set(marked.slice(-left))
  return blocks.map(({ text }, index) => ({ type: "text", text, ...(kept.has(index) ? mark : {}) }))
}

const toTools = (
  { system, tools = [] }: ModelRequest,
  form: OutputForm,
): Pick<Params, "tools" | "tool_choice"> => {
  if (form.form === "tool") {
    return {
      tools: [
        {
          name: form.name,
          description: form.description,
          input_schema: form.schema as Anthropic.Tool.InputSchema,
        },
      ],
      tool_choice: { type: "tool", name: form.name },
    }
  }
  if (tools.length === 0) return {}
  // The service reads tools before the system prompt: a mark there keeps them, too.
  const isKept = system.some(({ cache, text }) => cache === true && text.trim() !== "")
  return {
    tools: tools.map(({ description, name, parameters }, index) => ({
      name,
      description,
      input_schema: (typeof parameters === "boolean"
        ? { type: "object" }
        : parameters) as Anthropic.Tool.InputSchema,
      ...(isKept || index < tools.length - 1 ? {} : mark),
    })),
  }
}

/** Whether the request would think within a budget after the results of calls whose thoughts are not known: the service requires them. */
const isUnexplained = (
  { messages, model }: ModelRequest,
  { type }: Anthropic.ThinkingConfigParam,
): boolean =>
  type === "enabled" &&
  messages.at(-1)?.role === "tool" &&
  replyBlocksOf(
    { model },
    messages.findLast(({ role }) => role === "assistant"),
  ) === undefined

/** Whether the messages end with results of tools: the next turn of the loop begins with all of them. */
const isInLoop = ({ messages }: ModelRequest): boolean => messages.at(-1)?.role === "tool"

/**
 * Merges neighboring messages of one role: the service expects tool results in the user's message. Within a tool loop the
 * last result has a cache mark.
 */
const toMessages = (request: ModelRequest): Array<Anthropic.MessageParam> => {
  const { messages, model } = request
  const merged: Array<{ role: "user" | "assistant"; content: Array<Block> }> = []
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user"
    const content = toBlocks(message, model)
    if (content.length === 0) continue
    const last = merged.at(-1)
    if (last?.role === role) last.content.push(...content)
    else merged.push({ role, content })
  }
  if (isInLoop(request)) {
    const { content } = merged.at(-1)!
    content.push({ ...content.pop()!, ...mark } as Block)
  }
  return merged as Array<Anthropic.MessageParam>
}

const toBlocks = (message: Message, model: string): Array<Block> => {
  switch (message.role) {
    case "user":
      return parts(message.content)
    case "assistant":
      return (
        replyBlocksOf({ model }, message) ?? [
          ...parts(message.content),
          ...(message.toolCalls ?? []).map(({ arguments: input, id, name }): Block => ({
            type: "tool_use",
            id,
            name,
            input,
          })),
        ]
      )
    case "tool":
      return [
        {
          type: "tool_result",
          tool_use_id: message.toolCallId,
          content:
            typeof message.content === "string" ? message.content : JSON.stringify(message.content),
        },
      ]
  }
}

/** Content blocks without empty texts, which the service refuses. */
const parts = (content: string | ReadonlyArray<Content>): Array<Block> =>
  (typeof content === "string" ? [{ type: "text", text: content } as const] : content).flatMap(
    (part): ReadonlyArray<Block> => {
      if (part.type === "text")
        return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }]
      return [{ type: "image", source: imageSource(part) }]
    },
  )

const imageSource = ({ data, mediaType }: Extract<Content, { readonly type: "image" }>) =>
  data.startsWith("https://")
    ? ({ type: "url", url: data } as const)
    : ({
        type: "base64",
        data,
        media_type: mediaType as Anthropic.Base64ImageSource["media_type"],
      } as const)
