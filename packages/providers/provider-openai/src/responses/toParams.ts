/** Converts the contract's request to the body of OpenAI's Responses API. */
import type OpenAI from "openai"
import type {
  Content,
  JsonSchema,
  Message,
  ModelRequest,
  SystemBlock,
  ToolCall,
} from "@planloom/plugin/effect"
import { withExtras } from "../withExtras.ts"
import { describeOutput, mergeNeighbors, replyStateOf } from "@planloom/provider-kit"
import { isStrict } from "../isStrict.ts"
import type { ServerOptions } from "../options.ts"
import { toEffort } from "../reasoning.ts"
import type { Setting, StructuredMode } from "../Setting.ts"
import { formatName, imageUrl, textOf, toolFor } from "../toParams.ts"
import type { Origin } from "../completion.ts"

type Params = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, "stream">
type Item = OpenAI.Responses.ResponseInputItem
type Part = OpenAI.Responses.ResponseInputContent

/** Nothing is stored at the service: a run has its own record. Reasoning then returns encrypted. */
export const toResponseParams = (
  given: ModelRequest,
  mode: StructuredMode,
  server: ServerOptions,
): Params => {
  const request = mode === "json_object" || mode === "none" ? describeOutput(given) : given
  const { body, cacheMark, maxEffort, omit, reasons } = server.model(request.model)
  const takes = (setting: Setting, value: unknown) => value !== undefined && !omit.includes(setting)
  const { maxTokens, reasoning, temperature } = request
  const origin = { service: server.id, model: request.model }
  return withExtras(
    {
      model: request.model,
      store: false,
      ...(reasons ? { include: ["reasoning.encrypted_content" as const] } : {}),
      input: [
        ...toSystem(request.system, cacheMark === "prompt_cache_breakpoint"),
        ...mergeNeighbors(request.messages).flatMap((message) => toItems(message, origin)),
      ],
      ...toTools(request),
      ...toOutput(request, mode),
      ...(reasoning === undefined ? {} : { reasoning: { effort: toEffort(reasoning, maxEffort) } }),
      ...(takes("temperature", temperature) ? { temperature: temperature! } : {}),
      ...(takes("max_tokens", maxTokens) ? { max_output_tokens: maxTokens! } : {}),
    },
    body,
    request.options,
  )
}

const toSystem = (system: ReadonlyArray<SystemBlock>, isMarked: boolean): ReadonlyArray<Item> =>
  system.length === 0
    ? []
    : [
        {
          type: "message",
          role: "system",
          content: system.map(({ cache, text }) => ({
            type: "input_text",
            text,
            ...(cache === true && isMarked
              ? { prompt_cache_breakpoint: { mode: "explicit" as const } }
              : {}),
          })),
        },
      ]

const parametersOf = (schema: JsonSchema): { readonly [key: string]: unknown } =>
  typeof schema === "boolean" ? { type: "object" } : schema

const toTools = ({ tools = [] }: ModelRequest): Pick<Params, "tools"> =>
  tools.length === 0
    ? {}
    : {
        tools: tools.map(({ description, name, parameters }) => ({
          type: "function" as const,
          name,
          description,
          parameters: parametersOf(parameters),
          // Unless switched off, this API makes every schema strict, and optional parameters required.
          strict: false,
        })),
      }

const toOutput = (
  request: ModelRequest,
  mode: StructuredMode,
): Pick<Params, "text" | "tools" | "tool_choice"> => {
  const { output } = request
  if (output === undefined || mode === "none") return {}
  const tool = toolFor(request, mode)
  if (tool !== undefined) {
    const { description, name, schema } = tool
    return {
      tools: [
        {
          type: "function",
          name,
          description,
          parameters: { ...schema },
          strict: isStrict(schema),
        },
      ],
      tool_choice: { type: "function", name },
    }
  }
  const { name, schema } = output
  return mode === "json_object" || typeof schema === "boolean"
    ? { text: { format: { type: "json_object" } } }
    : {
        text: {
          format: {
            type: "json_schema",
            name: formatName(name),
            schema,
            strict: isStrict(schema),
          },
        },
      }
}

const toItems = (message: Message, origin: Origin): ReadonlyArray<Item> => {
  switch (message.role) {
    case "user":
      return [{ type: "message", role: "user", content: toContent(message.content) }]
    case "assistant": {
      const items = replyStateOf(origin, message)
      if (items !== undefined) return withReadArguments(items as never, message.toolCalls)
      const text = textOf(message.content)
      return [
        ...(text === "" ? [] : [{ role: "assistant", content: text } as const]),
        ...(message.toolCalls ?? []).map(({ arguments: args, id, name }): Item => ({
          type: "function_call",
          call_id: id,
          name,
          arguments: JSON.stringify(args),
        })),
      ]
    }
    case "tool":
      return [
        {
          type: "function_call_output",
          call_id: message.toolCallId,
          output:
            typeof message.content === "string" ? message.content : JSON.stringify(message.content),
        },
      ]
  }
}

/** The items of a reply with the arguments that were read of its calls. */
const withReadArguments = (
  items: ReadonlyArray<Item>,
  calls: ReadonlyArray<ToolCall> = [],
): ReadonlyArray<Item> =>
  items.map((item) => {
    if (item.type !== "function_call") return item
    const call = calls.find(({ id, written }) => written !== undefined && id === item.call_id)
    return call === undefined ? item : { ...item, arguments: JSON.stringify(call.arguments) }
  })

const toContent = (content: string | ReadonlyArray<Content>): Array<Part> =>
  (typeof content === "string" ? [{ type: "text", text: content } as const] : content).map(
    (part): Part =>
      part.type === "text"
        ? { type: "input_text", text: part.text }
        : { type: "input_image", image_url: imageUrl(part), detail: "auto" },
  )
