/** Model provider for any server with OpenAI's protocol, on OpenAI's SDK. */
import type { ChatCompletionChunk } from "openai/resources/chat/completions"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ModelFailed, ModelRequest, Provider } from "@planloom/plugin/effect"
import {
  streamRequest,
  sendRequest,
  toModelFailed,
  replySizeLimit,
  readParts,
  unreadableReply,
  RefusedForms,
  type RequestOptions,
  type HttpExchange,
} from "@planloom/provider-kit"
import { checkAvailable } from "./checkAvailable.ts"
import { chunkReader } from "./chunkReader.ts"
import { clientFor, keyOf, secretsOf } from "./client.ts"
import { modesFor } from "./modesFor.ts"
import type { ServerOptions } from "./options.ts"
import { isRequestSetting, type StructuredMode } from "./Setting.ts"
import { streamOptions, toolFor, toParams } from "./toParams.ts"
import { toReply } from "./toReply.ts"
import { addHint, errorInBody, toProviderError } from "./toProviderError.ts"

export interface OpenAiProvider extends Provider {
  /** Requests one token, so that a local server has the model loaded when it is needed. */
  readonly load: (model: string) => Effect.Effect<void, ModelFailed>
}

export const openai = (server: ServerOptions): OpenAiProvider => {
  const client = clientFor(server)
  const forms = new RefusedForms<StructuredMode>({ plain: "none", tool: "tool" })
  const name = ({ model }: ModelRequest) => `${server.id}/${model}`
  const originOf = ({ model }: ModelRequest) => ({ service: server.id, model })
  const requestOptionsFor = (request: ModelRequest): RequestOptions => ({
    model: name(request),
    limits: server.limits,
    toProviderError: toProviderError(server, request.model),
    secrets: secretsOf(server),
    ...keyOf(server),
  })

  const generate = (request: ModelRequest, mode: StructuredMode) =>
    Effect.flatMap(client(name(request)), (createClient) =>
      Effect.flatMap(
        sendRequest(requestOptionsFor(request), async (exchange) => {
          const completion = await createClient(exchange).chat.completions.create(
            toParams(request, mode, server),
            { signal: exchange.signal },
          )
          const reply = toReply(
            completion,
            exchange.requestId,
            originOf(request),
            toolFor(request, mode)?.name,
          )
          if ("text" in reply) return reply
          return reply.message === unreadableReply.message
            ? (errorInBody(exchange, server, request.model) ?? reply)
            : addHint(reply, server, request.model)
        }),
        (reply) =>
          "text" in reply
            ? Effect.succeed(reply)
            : Effect.fail(toModelFailed(name(request), reply, secretsOf(server), server.key?.name)),
      ),
    )

  const stream = (request: ModelRequest, mode: StructuredMode) =>
    Stream.unwrap(
      Effect.map(client(name(request)), (createClient) => {
        let opened: HttpExchange | undefined
        const chunks = streamRequest<ChatCompletionChunk>(
          requestOptionsFor(request),
          (exchange) => {
            opened = exchange
            return createClient(exchange).chat.completions.create(
              {
                ...toParams(request, mode, server),
                ...streamOptions(request, server),
                stream: true,
              },
              { signal: exchange.signal },
            )
          },
        )
        return readParts(
          name(request),
          chunks,
          () =>
            chunkReader({
              requestId: () => opened?.requestId,
              ended: () => opened?.tail.trimEnd().endsWith("[DONE]") === true,
              bodyError: () => opened && errorInBody(opened, server, request.model),
              origin: originOf(request),
              answer: toolFor(request, mode)?.name,
            }),
          server.limits.maxReplyBytes,
        )
      }),
    )

  const load = (model: string) =>
    Effect.asVoid(
      generate(
        { model, system: [], messages: [{ role: "user", content: "hi" }], maxTokens: 1 },
        "none",
      ),
    )

  return {
    id: server.id,
    summary: server.summary,
    ...replySizeLimit(server.limits),
    omits: (model) => server.model(model).omit.filter(isRequestSetting),
    available: checkAvailable(server),
    generate: (request) =>
      forms.generate(request, modesFor(request, server), (mode) => generate(request, mode)),
    stream: (request) =>
      forms.stream(request, modesFor(request, server), (mode) => stream(request, mode)),
    load,
    // A service with a key charges for requests.
    ...(server.key === undefined ? { warm: load } : {}),
  }
}
