/** OpenAI's Responses API as a wire form of the provider. */
import type { Responses } from "openai/resources/responses"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  readParts,
  readWholeReply,
  sendRequest,
  streamRequest,
  toModelFailed,
  unreadableReply,
  type HttpExchange,
} from "@planloom/provider-kit"
import type { WireApi, WireContext } from "../WireApi.ts"
import { errorInBody } from "../toProviderError.ts"
import { toolFor } from "../toParams.ts"
import { asLastEvent, responseReader, type ResponseContext } from "./responseReader.ts"
import { toResponseParams } from "./toParams.ts"

type Event = Responses.ResponseStreamEvent

export const responsesApi = ({
  client,
  name,
  originOf,
  requestOptionsFor,
  server,
}: WireContext): WireApi => ({
  generate: (request, mode) =>
    Effect.flatMap(client(name(request)), (createClient) => {
      let opened: HttpExchange | undefined
      return Effect.flatMap(
        sendRequest(requestOptionsFor(request), (exchange) => {
          opened = exchange
          return createClient(exchange).responses.create(toResponseParams(request, mode, server), {
            signal: exchange.signal,
          })
        }),
        (response) => {
          const last = asLastEvent(response)
          if ("type" in last) {
            const context: ResponseContext = {
              origin: originOf(request),
              requestId: () => opened?.requestId,
              bodyError: () => undefined,
              answer: toolFor(request, mode)?.name,
            }
            return readWholeReply(name(request), last, responseReader(context))
          }
          const error = (opened && errorInBody(opened, server, request.model)) ?? unreadableReply
          const { secrets } = requestOptionsFor(request)
          return Effect.fail(toModelFailed(name(request), error, secrets, server.key?.name))
        },
      )
    }),
  stream: (request, mode) =>
    Stream.unwrap(
      Effect.map(client(name(request)), (createClient) => {
        let opened: HttpExchange | undefined
        const events = streamRequest<Event>(requestOptionsFor(request), (exchange) => {
          opened = exchange
          return createClient(exchange).responses.create(
            { ...toResponseParams(request, mode, server), stream: true },
            { signal: exchange.signal },
          )
        })
        return readParts(
          name(request),
          events,
          () =>
            responseReader({
              origin: originOf(request),
              requestId: () => opened?.requestId,
              bodyError: () => opened && errorInBody(opened, server, request.model),
              answer: toolFor(request, mode)?.name,
            }),
          server.limits.maxReplyBytes,
        )
      }),
    ),
})
