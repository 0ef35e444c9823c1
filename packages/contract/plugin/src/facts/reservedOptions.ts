/** Fields of requests that the providers set themselves: options of a model cannot contain them. */
import { isJsonObject, type Json, type JsonObject } from "../value/Json.ts"

const prompt = "prompts and stages set it"
const tools = "the tools of a stage set it"
const form = "`structured` sets it"
const reasoning = "`reasoning` sets it"
const temperature = "`temperature` sets it"
const topK = "`top_k` sets it"
const seed = "`seed` sets it"
const maxTokens = "`max_tokens` sets it"
const stop = "`stop` sets it"
const provider = "the provider sets it"
const config = "the config of the provider sets it"

/** By path in the body of any service: what sets the field. */
const reserved: { readonly [path: string]: string } = {
  model: "`try` sets it",
  messages: prompt,
  input: prompt,
  contents: prompt,
  system: prompt,
  instructions: prompt,
  systemInstruction: prompt,
  tools,
  tool_choice: tools,
  toolConfig: tools,
  response_format: form,
  format: form,
  "text.format": form,
  "output_config.format": form,
  responseMimeType: form,
  responseJsonSchema: form,
  responseSchema: form,
  reasoning_effort: reasoning,
  "reasoning.effort": reasoning,
  "output_config.effort": reasoning,
  thinking: reasoning,
  thinkingConfig: reasoning,
  think: reasoning,
  "chat_template_kwargs.enable_thinking": reasoning,
  "chat_template_kwargs.reasoning_effort": reasoning,
  temperature,
  "options.temperature": temperature,
  top_k: topK,
  topK,
  "options.top_k": topK,
  seed,
  "options.seed": seed,
  max_tokens: maxTokens,
  max_completion_tokens: maxTokens,
  max_output_tokens: maxTokens,
  maxOutputTokens: maxTokens,
  "options.num_predict": maxTokens,
  stop,
  stop_sequences: stop,
  stopSequences: stop,
  "options.stop": stop,
  "options.num_ctx": config,
  keep_alive: config,
  stream: provider,
  stream_options: provider,
  store: provider,
  include: provider,
  truncate: provider,
  shift: provider,
  automaticContinuation: provider,
  abortSignal: provider,
  httpOptions: provider,
}

export interface ReservedOption {
  readonly path: ReadonlyArray<string>
  /** What sets the field, as the end of a sentence. */
  readonly reason: string
}

/** The options that are reserved. */
export const reservedOptions = (
  options: JsonObject,
  at: ReadonlyArray<string> = [],
): ReadonlyArray<ReservedOption> =>
  Object.entries(options).flatMap(([key, value]): ReadonlyArray<ReservedOption> => {
    const path = [...at, key]
    const name = path.join(".")
    const reason = Object.hasOwn(reserved, name) ? reserved[name] : undefined
    if (reason !== undefined) return [{ path, reason }]
    if (isJsonObject(value)) return reservedOptions(value, path)
    // Anything but an object would replace the fields within it.
    const inner = Object.keys(reserved).find((other) => other.startsWith(`${name}.`))
    return inner === undefined ? [] : [{ path, reason: reserved[inner]! }]
  })

/** Whether a field of a body is reserved, with all that is in it. */
export const isReserved = (path: ReadonlyArray<string>): boolean =>
  path.some((_, index) => Object.hasOwn(reserved, path.slice(0, index + 1).join(".")))

/** The body with the options in it. Fields of the body stay: they are reserved. */
export const withOptions = <B extends object>(body: B, options: JsonObject | undefined): B => {
  if (options === undefined) return body
  const merged = { ...body } as Record<string, unknown>
  for (const [key, value] of Object.entries(options)) {
    const own = merged[key]
    merged[key] =
      own === undefined
        ? value
        : isJsonObject(own as Json) && isJsonObject(value)
          ? withOptions(own as object, value)
          : own
  }
  return merged as B
}
