/** Chat completions as a wire form of the provider. */
import type { ChatCompletionChunk } from "openai/resources/chat/completions"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  readParts,
  readWholeReply,
  sendRequest,
  streamRequest,
  toModelFailed,
  tryRead,
  unreadableReply,
  type HttpExchange,
} from "@planloom/provider-kit"
import { chunkReader } from "./chunkReader.ts"
import { secretsOf } from "./client.ts"
import { addHint, errorInBody } from "./toProviderError.ts"
import { streamOptions, toolFor, toParams } from "./toParams.ts"
import { asChunk } from "./completion.ts"
import type { WireApi, WireContext } from "./WireApi.ts"

export const chatApi = ({
  client,
  name,
  originOf,
  requestOptionsFor,
  server,
}: WireContext): WireApi => ({
  generate: (request, mode) =>
    Effect.flatMap(client(name(request)), (createClient) =>
      Effect.suspend(() => {
        let opened: HttpExchange | undefined
        return Effect.flatMap(
          sendRequest(requestOptionsFor(request), (exchange) => {
            opened = exchange
            return createClient(exchange).chat.completions.create(toParams(request, mode, server), {
              signal: exchange.signal,
            })
          }),
          (completion) => {
            const chunk = tryRead(() => asChunk(completion))
            const requestId = opened?.requestId
            if ("choices" in chunk) {
              const reader = chunkReader({
                requestId: () => requestId,
                ended: () => true,
                bodyError: () => undefined,
                origin: originOf(request),
                answer: toolFor(request, mode)?.name,
              })
              return readWholeReply(name(request), chunk, reader)
            }
            const error =
              chunk === unreadableReply
                ? ((opened && errorInBody(opened, server, request.model)) ?? chunk)
                : addHint(chunk, server, request.model)
            return Effect.fail(
              toModelFailed(
                name(request),
                { ...error, requestId },
                secretsOf(server),
                server.key?.name,
              ),
            )
          },
        )
      }),
    ),
  stream: (request, mode) =>
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
    ),
})
