/** Wraps an Effect AI `LanguageModel` as a provider of the contract. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { isAiError, type AiError } from "effect/ai/AiError"
import type { LanguageModel } from "effect/ai/LanguageModel"
import type { ProviderOptions } from "effect/ai/Prompt"
import type { AllParts } from "effect/ai/Response"
import { CurrentSpanTransformer } from "effect/ai/Telemetry"
import * as Tool from "effect/ai/Tool"
import type { WithHandler } from "effect/ai/Toolkit"
import {
  ModelFailed,
  type ModelReply,
  type ModelRequest,
  type Provider,
} from "@planloom/plugin/effect"
import { describeOutput, unknownUsage, withServiceNames } from "@planloom/provider-kit"
import { outputSchema } from "./outputSchema.ts"
import { toModelFailed } from "./toModelFailed.ts"
import { toPrompt } from "./toPrompt.ts"
import { modelPartReader, toReply } from "./toReply.ts"

export interface LanguageModelOptions {
  readonly summary?: string
  /**
   * Creates the services of one call. `LanguageModel` has no temperature, topK, maxTokens, stop or seed: each
   * Effect AI package reads them from its own config service.
   */
  readonly settings?: (request: ModelRequest) => Context.Context<never>
  /** Provider options for system blocks that the workflow marks for caching. */
  readonly cache?: ProviderOptions
}

/**
 * `model` serves every model name of this provider; a function chooses a model by name (the part after the slash in
 * `id/name`). JSON is requested natively if the schema allows it; a reply that does not match is returned as text,
 * which the engine validates. Fails with `ModelFailed` only.
 */
export const fromLanguageModel = (
  id: string,
  model: LanguageModel | ((name: string) => LanguageModel),
  options: LanguageModelOptions = {},
): Provider => {
  const modelOf = (request: ModelRequest) =>
    typeof model === "function" ? model(request.model) : model
  const servicesOf = (request: ModelRequest) => options.settings?.(request) ?? Context.empty()
  const failed = (request: ModelRequest) => (error: AiError) =>
    toModelFailed(`${id}/${request.model}`, error)
  return withServiceNames({
    id,
    summary: options.summary ?? "models of an Effect AI provider",
    generate: (request) =>
      Effect.suspend(() =>
        generate(modelOf(request), request, options.cache, failed(request)),
      ).pipe(Effect.provideContext(servicesOf(request))),
    stream: (request) =>
      Stream.suspend(() => {
        const toModelParts = modelPartReader()
        return modelOf(request)
          .streamText({
            prompt: toPrompt(describeOutput(request), options.cache),
            ...toolsOf(request),
          })
          .pipe(
            Stream.mapError(failed(request)),
            Stream.flatMap((part) =>
              part.type === "error"
                ? Stream.fail(streamError(`${id}/${request.model}`, part.error))
                : Stream.fromIterable(toModelParts(part)),
            ),
          )
      }).pipe(Stream.provideContext(servicesOf(request))),
  })
}

const generate = (
  model: LanguageModel,
  request: ModelRequest,
  cache: ProviderOptions | undefined,
  failed: (error: AiError) => ModelFailed,
): Effect.Effect<Omit<ModelReply, "model">, ModelFailed> => {
  const schema = request.output === undefined ? undefined : outputSchema(request.output.schema)
  const prompt = toPrompt(schema === undefined ? describeOutput(request) : request, cache)
  if (schema === undefined) {
    return Effect.mapBoth(model.generateText({ prompt, ...toolsOf(request) }), {
      onSuccess: ({ content }) => toReply(content),
      onFailure: failed,
    })
  }
  return Effect.flatMap(Effect.serviceOption(CurrentSpanTransformer), (outer) => {
    // The model's own parts, captured where the span is annotated: `generateObject` fails on text that does not match
    // the schema, and its usage would be lost.
    let received: ReadonlyArray<AllParts<any>> | undefined
    return (
      model.generateObject({
        prompt,
        objectName: request.output!.name,
        schema: schema as never,
        ...toolsOf(request),
      }) as Effect.Effect<{ readonly content: ReadonlyArray<AllParts<any>> }, AiError>
    ).pipe(
      Effect.provideService(CurrentSpanTransformer, (span) => {
        received = span.response as ReadonlyArray<AllParts<any>>
        if (Option.isSome(outer)) outer.value(span)
      }),
      Effect.matchEffect({
        onSuccess: ({ content }) => Effect.succeed(toReply(content)),
        onFailure: (error) =>
          error.reason._tag === "StructuredOutputError" && received !== undefined
            ? Effect.succeed(toReply(received))
            : Effect.fail(failed(error)),
      }),
    )
  })
}

/** Converts the error part with which some providers end a stream. */
const streamError = (model: string, error: unknown): ModelFailed =>
  isAiError(error)
    ? toModelFailed(model, error)
    : new ModelFailed({
        class: "unavailable",
        model,
        message: "the provider ended its reply with an error",
        usage: unknownUsage,
      })

/** Declares tools whose calls are returned unchecked and not run: the engine does both. */
const toolsOf = ({ tools = [] }: ModelRequest) => {
  const declared = Object.fromEntries(
    tools.map(({ description, name, parameters }) => [
      name,
      Tool.dynamic(name, {
        description,
        parameters: typeof parameters === "boolean" ? { type: "object" } : parameters,
      }),
    ]),
  )
  const toolkit: WithHandler<typeof declared> = {
    tools: declared,
    handle: (name) => Effect.die(`the tool "${name}" is run by the engine`),
  }
  return { toolkit, disableToolCallResolution: true, toolCallValidation: "deferred" } as const
}
