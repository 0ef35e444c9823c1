/** Model provider for Gemini, on Google's SDK. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { MayContinue, ModelRequest, OutputForm, Provider } from "@planloom/plugin/effect"
import {
  chunksOfTurn,
  listed,
  MAX_CONTINUATIONS,
  streamRequest,
  sendRequest,
  readWholeTurn,
  missingKeyMessage,
  RefusedForms,
  replySizeLimit,
  readParts,
  type RequestOptions,
  type HttpExchange,
  withServiceNames,
} from "@planloom/provider-kit"
import { clientFor } from "./client.ts"
import type { GoogleOptions } from "./options.ts"
import { chunkReader } from "./chunkReader.ts"
import { formsFor, toolFor, toParams } from "./toParams.ts"
import { toProviderError } from "./toProviderError.ts"

const ID = "google"

export const google = (options: GoogleOptions): Provider => {
  const { key } = options
  const client = clientFor(options)
  const name = ({ model }: Pick<ModelRequest, "model">) => `${ID}/${model}`
  const requestOptionsFor = (request: Pick<ModelRequest, "model">): RequestOptions => ({
    model: name(request),
    limits: options.limits,
    toProviderError,
    secrets: key.value === undefined ? [] : [key.value],
    key: key.name,
  })
  const paramsFor = (
    request: ModelRequest,
    form: OutputForm,
    exchange: HttpExchange,
    /** Of the request that paused, if this one continues it. */
    continuationToken: string | undefined,
  ) => {
    const { config, ...params } = toParams(request, form)
    return {
      ...params,
      config: {
        ...config,
        ...(continuationToken === undefined ? {} : { continuationToken }),
        abortSignal: exchange.signal,
        httpOptions: { fetch: exchange.fetch },
      },
    }
  }
  const readerFor = (request: ModelRequest, form: OutputForm) =>
    chunkReader(request.model, toolFor(request, form)?.name)
  const refused = new RefusedForms<OutputForm>({ plain: "text", tool: "tool" })
  const generate = (
    request: ModelRequest,
    form: OutputForm,
    mayContinue: MayContinue | undefined,
  ) =>
    Effect.flatMap(client(name(request)), ({ models }) =>
      Effect.suspend(() =>
        readWholeTurn(
          name(request),
          (token) =>
            sendRequest(requestOptionsFor(request), (exchange) =>
              models.generateContent(paramsFor(request, form, exchange, token)),
            ),
          readerFor(request, form),
          mayContinue,
        ),
      ),
    )
  const stream = (request: ModelRequest, form: OutputForm, mayContinue: MayContinue | undefined) =>
    Stream.unwrap(
      Effect.map(client(name(request)), ({ models }) => {
        const reader = readerFor(request, form)
        const chunks = chunksOfTurn(
          (token: string | undefined) =>
            streamRequest(requestOptionsFor(request), (exchange) =>
              models.generateContentStream(paramsFor(request, form, exchange, token)),
            ),
          reader,
          mayContinue,
        )
        return readParts(name(request), chunks, () => reader, options.limits.maxReplyBytes)
      }),
    )
  return withServiceNames({
    id: ID,
    summary: "Gemini models of Google.",
    forms: 3,
    ...replySizeLimit(options.limits),
    available: Effect.succeed(key.value === undefined ? missingKeyMessage(key) : true),
    lists: (model) =>
      listed(
        Effect.flatMap(client(name({ model })), ({ models }) =>
          sendRequest(requestOptionsFor({ model }), (exchange) =>
            models.get({
              model,
              config: { abortSignal: exchange.signal, httpOptions: { fetch: exchange.fetch } },
            }),
          ),
        ),
      ),
    // A request writes a part of a long reply; the next one reads all of it again.
    continues: () => ({ most: MAX_CONTINUATIONS, adds: "reply" }),
    generate: (request, mayContinue) =>
      refused.generate(request, formsFor(request, options), (form) =>
        generate(request, form, mayContinue),
      ),
    stream: (request, mayContinue) =>
      refused.stream(request, formsFor(request, options), (form) =>
        stream(request, form, mayContinue),
      ),
  })
}
