/** Any Effect AI `LanguageModel` as a provider of the contract. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { isAiError, type AiError } from "effect/ai/AiError"
import type { LanguageModel } from "effect/ai/LanguageModel"
import type { MessageEncoded, ProviderOptions } from "effect/ai/Prompt"
import type { AllParts } from "effect/ai/Response"
import { CurrentSpanTransformer } from "effect/ai/Telemetry"
import * as Tool from "effect/ai/Tool"
import type { WithHandler } from "effect/ai/Toolkit"
import { ModelFailed, type ModelReply, type ModelRequest, type Provider } from "@planloom/plugin"
import { untold } from "@planloom/provider-kit"
import { outputSchema } from "./outputSchema.ts"
import { toModelFailed } from "./toModelFailed.ts"
import { toPrompt } from "./toPrompt.ts"
import { modelPartReader, toReply } from "./toReply.ts"

export interface LanguageModelOptions {
  readonly summary?: string
  /**
   * Services for one call. `LanguageModel` has no temperature, topK, maxTokens, stop or seed: each
   * Effect AI package reads them from a config service of its own, which is made here.
   */
  readonly settings?: (request: ModelRequest) => Context.Context<never>
  /** Provider options for system blocks that the workflow marks as worth caching. */
  readonly cache?: ProviderOptions
}

/**
 * `model` answers for every model name of this provider, or is chosen by the name (the part after
 * the slash in `id/name`). JSON is asked for natively where the schema allows; replies that do not
 * fit are handed on as text, for the engine to judge. Fails with `ModelFailed` only.
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
  return {
    id,
    summary: options.summary ?? "models of an Effect AI provider",
    generate: (request) =>
      Effect.suspend(() =>
        generate(modelOf(request), request, toPrompt(request, options.cache), failed(request)),
      ).pipe(Effect.provideContext(servicesOf(request))),
    stream: (request) =>
      Stream.suspend(() => {
        const toModelParts = modelPartReader()
        return modelOf(request)
          .streamText({ prompt: toPrompt(request, options.cache), ...toolsOf(request) })
          .pipe(
            Stream.mapError(failed(request)),
            Stream.flatMap((part) =>
              part.type === "error"
                ? Stream.fail(brokenOff(`${id}/${request.model}`, part.error))
                : Stream.fromIterable(toModelParts(part)),
            ),
          )
      }).pipe(Stream.provideContext(servicesOf(request))),
  }
}

const generate = (
  model: LanguageModel,
  request: ModelRequest,
  prompt: ReadonlyArray<MessageEncoded>,
  failed: (error: AiError) => ModelFailed,
): Effect.Effect<Omit<ModelReply, "model">, ModelFailed> => {
  const schema = request.output === undefined ? undefined : outputSchema(request.output.schema)
  if (schema === undefined) {
    return Effect.mapBoth(model.generateText({ prompt, ...toolsOf(request) }), {
      onSuccess: ({ content }) => toReply(content),
      onFailure: failed,
    })
  }
  return Effect.flatMap(Effect.serviceOption(CurrentSpanTransformer), (outer) => {
    // The model's own parts, taken where the span is annotated: text that does not fit the schema is
    // an error to `generateObject`, and its usage would be lost.
    let answered: ReadonlyArray<AllParts<any>> | undefined
    return (
      model.generateObject({
        prompt,
        objectName: request.output!.name,
        schema: schema as never,
        ...toolsOf(request),
      }) as Effect.Effect<{ readonly content: ReadonlyArray<AllParts<any>> }, AiError>
    ).pipe(
      Effect.provideService(CurrentSpanTransformer, (told) => {
        answered = told.response as ReadonlyArray<AllParts<any>>
        if (Option.isSome(outer)) outer.value(told)
      }),
      Effect.matchEffect({
        onSuccess: ({ content }) => Effect.succeed(toReply(content)),
        onFailure: (error) =>
          error.reason._tag === "StructuredOutputError" && answered !== undefined
            ? Effect.succeed(toReply(answered))
            : Effect.fail(failed(error)),
      }),
    )
  })
}

/** Some providers tell a failure as the last part of a stream that began well. */
const brokenOff = (model: string, error: unknown): ModelFailed =>
  isAiError(error)
    ? toModelFailed(model, error)
    : new ModelFailed({
        class: "unavailable",
        model,
        message: "the provider broke its reply off",
        usage: untold,
      })

/** Tool calls are handed back unchecked and not run: the engine does both. */
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
    handle: (name) => Effect.die(`the tool "${name}" is the engine's to run`),
  }
  return { toolkit, disableToolCallResolution: true, toolCallValidation: "deferred" } as const
}
