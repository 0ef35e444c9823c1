/** Chat completions as a wire form of the provider. */
import type { ChatCompletionChunk } from "openai/resources/chat/completions"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  readParts,
  sendRequest,
  streamRequest,
  toModelFailed,
  unreadableReply,
  type HttpExchange,
} from "@planloom/provider-kit"
import { chunkReader } from "./chunkReader.ts"
import { secretsOf } from "./client.ts"
import { addHint, errorInBody } from "./toProviderError.ts"
import { streamOptions, toolFor, toParams } from "./toParams.ts"
import { toReply } from "./toReply.ts"
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
