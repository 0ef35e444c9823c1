/** Wraps a provider of the contract as Effect AI's `LanguageModel`, for Effect programs. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Tool from "effect/ai/Tool"
import type { ModelFailed, ModelPart, ModelRequest, Provider } from "@planloom/plugin/effect"
import { collectReply } from "@planloom/provider-kit"
import { fromPrompt } from "./fromPrompt.ts"
import { responsePartReader, toResponseParts } from "./toResponseParts.ts"
import { toAiError } from "./toAiError.ts"

/** Settings that `LanguageModel` does not support, the same for every request. */
export type RequestSettings = Pick<
  ModelRequest,
  "temperature" | "topK" | "maxTokens" | "stop" | "seed"
>

/**
 * `model` is the name within the provider, without the provider's id. JSON is requested with its schema, and Effect's
 * toolkit runs the tools. A tool choice narrows the offered tools: the contract cannot force a call.
 * Fails with `AiError` only.
 */
export const toLanguageModel = (
  provider: Provider,
  model: string,
  settings: RequestSettings = {},
): Effect.Effect<LanguageModel.LanguageModel> => {
  const requestOf = (options: LanguageModel.ProviderOptions): ModelRequest => ({
    ...settings,
    model,
    ...fromPrompt(options.prompt.content),
    ...toolsOf(options),
    ...outputOf(options),
  })
  return LanguageModel.make({
    generateText: (options) =>
      Effect.suspend(() => whole(provider, requestOf(options))).pipe(
        Effect.mapError((failure) => toAiError("generateText", failure)),
      ),
    streamText: (options) =>
      Stream.suspend(() => {
        const read = responsePartReader()
        return Stream.flatMap(parts(provider, requestOf(options)), (part) =>
          Stream.fromIterable(read(part)),
        )
      }).pipe(Stream.mapError((failure) => toAiError("streamText", failure))),
  })
}

/** `toLanguageModel` as a layer. */
export const languageModelLayer = (
  provider: Provider,
  model: string,
  settings?: RequestSettings,
): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(LanguageModel.LanguageModel, toLanguageModel(provider, model, settings))

const whole = ({ generate, ...provider }: Provider, request: ModelRequest) =>
  generate === undefined
    ? Effect.map(Stream.runCollect(parts(provider, request)), (collected) =>
        toResponseParts(collectReply(collected)),
      )
    : Effect.map(generate(request), toResponseParts)

const parts = (
  { generate, stream }: Provider,
  request: ModelRequest,
): Stream.Stream<ModelPart, ModelFailed> => {
  if (stream !== undefined) return stream(request)
  if (generate === undefined) return Stream.empty
  return Stream.unwrap(
    Effect.map(generate(request), ({ finish, reasoning, requestId, text, toolCalls, usage }) =>
      Stream.fromIterable<ModelPart>([
        ...(reasoning === "" ? [] : [{ type: "reasoning", text: reasoning } as const]),
        ...(text === "" ? [] : [{ type: "text", text } as const]),
        ...toolCalls.map((call) => ({ type: "tool_call", call }) as const),
        {
          type: "finish",
          reason: finish,
          usage,
          ...(requestId === undefined ? {} : { requestId }),
        },
      ]),
    ),
  )
}

const toolsOf = ({
  toolChoice,
  tools,
}: LanguageModel.ProviderOptions): Pick<ModelRequest, "tools"> => {
  const offered = tools.filter(({ name }) => isOffered(name, toolChoice))
  return offered.length === 0
    ? {}
    : {
        tools: offered.map((tool) => ({
          name: tool.name,
          description: Tool.getDescription(tool) ?? "",
          parameters: { ...Tool.getJsonSchema(tool) },
        })),
      }
}

const isOffered = (name: string, choice: LanguageModel.ProviderOptions["toolChoice"]): boolean => {
  if (typeof choice === "string") return choice !== "none"
  return "tool" in choice ? choice.tool === name : choice.oneOf.includes(name)
}

const outputOf = ({
  responseFormat,
}: LanguageModel.ProviderOptions): Pick<ModelRequest, "output"> =>
  responseFormat.type === "text"
    ? {}
    : {
        output: {
          name: responseFormat.objectName,
          schema: { ...Tool.getJsonSchemaFromSchema(responseFormat.schema) },
        },
      }
