/** Converts the contract's request to the parameters of Google's generateContent. */
import type {
  Content as GoogleContent,
  FunctionCallingConfigMode,
  GenerateContentConfig,
  Part,
} from "@google/genai"
import {
  isJsonObject,
  type Content,
  type Json,
  type Message,
  type ModelRequest,
  type OutputForm,
} from "@planloom/plugin/effect"
import { withOptions } from "@planloom/plugin/facts"
import { answerTool, describeOutput, replyStateOf, type AnswerTool } from "@planloom/provider-kit"
import type { GoogleOptions } from "./options.ts"
import { toThinkingConfig } from "./reasoning.ts"
import { isGeneratedCallId } from "./callId.ts"
import { SERVICE } from "./chunkReader.ts"
import { toGoogleSchema } from "./toGoogleSchema.ts"

export interface Params {
  readonly model: string
  readonly contents: Array<GoogleContent>
  readonly config: GenerateContentConfig
}

/** Forms of requesting JSON, best first. Most models refuse native JSON beside tools. */
export const formsFor = (
  request: ModelRequest,
  { structured }: GoogleOptions,
): ReadonlyArray<OutputForm> => {
  const wanted = structured ?? request.output?.form
  if (request.output === undefined || wanted === "text") return ["text"]
  if ((request.tools ?? []).length > 0) return ["text"]
  const isTool = wanted === "tool" && answerTool(request) !== undefined
  return isTool ? ["tool", "json_schema", "text"] : ["json_schema", "text"]
}

/** The tool that returns JSON; undefined in other forms. */
export const toolFor = (request: ModelRequest, form: OutputForm): AnswerTool | undefined =>
  form === "tool" ? answerTool(request) : undefined

export const toParams = (given: ModelRequest, form: OutputForm): Params => {
  const request = form === "text" ? describeOutput(given) : given
  const thinkingConfig = toThinkingConfig(request)
  return {
    model: request.model,
    contents: toContents(request),
    config: withOptions<GenerateContentConfig>(
      {
        // A paused reply is continued within the limits and the usage of its call, not by the SDK.
        automaticContinuation: false,
        ...toSystem(request),
        ...toTools(request),
        ...toOutput(request, form),
        ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
        ...(request.topK === undefined ? {} : { topK: request.topK }),
        ...(request.seed === undefined ? {} : { seed: request.seed }),
        ...(request.maxTokens === undefined ? {} : { maxOutputTokens: request.maxTokens }),
        ...((request.stop ?? []).length === 0 ? {} : { stopSequences: [...request.stop!] }),
        ...(thinkingConfig === undefined ? {} : { thinkingConfig }),
      },
      request.options,
    ),
  }
}

/** System instruction without cache marks: the service finds repeated prefixes itself. */
const toSystem = ({ system }: ModelRequest): Pick<GenerateContentConfig, "systemInstruction"> =>
  system.length === 0
    ? {}
    : { systemInstruction: { role: "user", parts: system.map(({ text }) => ({ text })) } }

const toTools = ({ tools = [] }: ModelRequest): Pick<GenerateContentConfig, "tools"> =>
  tools.length === 0
    ? {}
    : {
        tools: [
          {
            functionDeclarations: tools.map(({ description, name, parameters }) => ({
              name,
              description,
              parametersJsonSchema:
                typeof parameters === "boolean" ? { type: "object" } : toGoogleSchema(parameters),
            })),
          },
        ],
      }

/** The enum's value as a literal: importing the enum would load the SDK. */
const ANY = "ANY" as FunctionCallingConfigMode

const forcedTool = ({
  description,
  name,
  schema,
}: AnswerTool): Pick<GenerateContentConfig, "tools" | "toolConfig"> => ({
  tools: [
    { functionDeclarations: [{ name, description, parametersJsonSchema: toGoogleSchema(schema) }] },
  ],
  toolConfig: { functionCallingConfig: { mode: ANY, allowedFunctionNames: [name] } },
})

const toOutput = (request: ModelRequest, form: OutputForm): GenerateContentConfig => {
  const { output } = request
  if (output === undefined || form === "text") return {}
  const tool = toolFor(request, form)
  if (tool !== undefined) return forcedTool(tool)
  return {
    responseMimeType: "application/json",
    ...(typeof output.schema === "boolean"
      ? {}
      : { responseJsonSchema: toGoogleSchema(output.schema) }),
  }
}

/** Merges neighboring messages of one role: results of parallel calls belong to one turn. */
const toContents = ({ messages, model }: ModelRequest): Array<GoogleContent> => {
  const merged: Array<{ role: string; parts: Array<Part> }> = []
  for (const message of messages) {
    const role = message.role === "assistant" ? "model" : "user"
    const parts = toParts(message, model)
    if (parts.length === 0) continue
    const last = merged.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else merged.push({ role, parts: [...parts] })
  }
  return merged
}

const toParts = (message: Message, model: string): ReadonlyArray<Part> => {
  switch (message.role) {
    case "user":
      return contentParts(message.content)
    case "assistant":
      return (
        partsOfReply(message, model) ?? [
          ...contentParts(message.content),
          ...(message.toolCalls ?? []).map(({ arguments: args, id, name }): Part => ({
            functionCall: { ...serviceId(id), name, args },
          })),
        ]
      )
    case "tool":
      return [
        {
          functionResponse: {
            ...serviceId(message.toolCallId),
            name: message.name,
            response: asObject(message.content),
          },
        },
      ]
  }
}

/** The parts of a reply as the model wrote them, with the arguments that were read of its calls. */
const partsOfReply = (
  message: Extract<Message, { readonly role: "assistant" }>,
  model: string,
): ReadonlyArray<Part> | undefined => {
  const { toolCalls = [] } = message
  let called = 0
  return (
    replyStateOf({ service: SERVICE, model }, message) as unknown as ReadonlyArray<Part> | undefined
  )?.map((part) => {
    if (part.functionCall === undefined) return part
    const call = toolCalls[called++]
    return call?.written === undefined
      ? part
      : { ...part, functionCall: { ...part.functionCall, args: call.arguments } }
  })
}

/** The id to return to the service; generated ids are omitted. */
const serviceId = (id: string): { readonly id?: string } => (isGeneratedCallId(id) ? {} : { id })

const asObject = (result: Json): Record<string, unknown> =>
  isJsonObject(result) ? { ...result } : { result }

const contentParts = (content: string | ReadonlyArray<Content>): Array<Part> =>
  (typeof content === "string" ? [{ type: "text", text: content } as const] : content).flatMap(
    (part): ReadonlyArray<Part> => {
      if (part.type === "text") return part.text === "" ? [] : [{ text: part.text }]
      const { data, mediaType: mimeType } = part
      return data.startsWith("https://")
        ? [{ fileData: { fileUri: data, mimeType } }]
        : [{ inlineData: { data, mimeType } }]
    },
  )
