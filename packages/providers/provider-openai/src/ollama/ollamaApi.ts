/** Ollama's own API as a wire form of the provider: `/v1` of the same server has no context length and no tool choice. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { JsonObject } from "@planloom/plugin/effect"
import {
  readParts,
  readWholeReply,
  sendRequest,
  streamRequest,
  type HttpExchange,
} from "@planloom/provider-kit"
import type { ServerOptions } from "../options.ts"
import type { WireApi, WireContext } from "../WireApi.ts"
import { ollamaReader, type OllamaChunk } from "./chunkReader.ts"
import { toOllamaParams } from "./toParams.ts"

export const ollamaApi = ({ name, originOf, requestOptionsFor, server }: WireContext): WireApi => ({
  generate: (request, mode) =>
    Effect.suspend(() => {
      let opened: HttpExchange | undefined
      return Effect.flatMap(
        sendRequest(requestOptionsFor(request), async (exchange) => {
          opened = exchange
          const params = toOllamaParams(request, mode, server)
          const response = await post(exchange, server, { ...params, stream: false })
          return (await response.json()) as OllamaChunk
        }),
        (whole) =>
          readWholeReply(
            name(request),
            whole,
            ollamaReader(server, originOf(request), () => opened?.requestId),
          ),
      )
    }),
  stream: (request, mode) =>
    Stream.suspend(() => {
      let opened: HttpExchange | undefined
      const lines = streamRequest(requestOptionsFor(request), async (exchange) => {
        opened = exchange
        const params = toOllamaParams(request, mode, server)
        return linesOf(await post(exchange, server, { ...params, stream: true }))
      })
      return readParts(
        name(request),
        lines,
        () => ollamaReader(server, originOf(request), () => opened?.requestId),
        server.limits.maxReplyBytes,
      )
    }),
})

/** `base_url` ends with `/v1`, for the servers with OpenAI's protocol; Ollama's own API is beside it. */
const chatUrl = ({ baseUrl = "" }: ServerOptions): string =>
  `${baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "")}/api/chat`

const post = async (
  { fetch, signal }: HttpExchange,
  server: ServerOptions,
  body: JsonObject,
): Promise<Response> => {
  const { headers, key } = server
  const response = await fetch(chatUrl(server), {
    method: "POST",
    signal,
    headers: {
      "content-type": "application/json",
      ...(key?.value === undefined ? {} : { authorization: `Bearer ${key.value}` }),
      ...headers,
    },
    body: JSON.stringify(body),
  })
  if (response.ok) return response
  // The exchange keeps the beginning of the body, which holds the message.
  await response.text()
  throw new Error(`status ${response.status}`)
}

/** Server-sent lines of JSON. */
async function* linesOf(response: Response): AsyncIterable<OllamaChunk> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
    rest = lines.pop()!
    for (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as OllamaChunk
  }
  if (rest.trim() !== "") yield JSON.parse(rest) as OllamaChunk
}
