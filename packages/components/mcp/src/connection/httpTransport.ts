/** Speaks to a server by streamable HTTP. */
import type { FetchLike } from "@modelcontextprotocol/client"
import type { ServerLogin } from "../login/ServerLogin.ts"
import { McpFailed } from "../McpFailed.ts"
import type { Sdk } from "./sdk.ts"

export interface HttpOptions {
  readonly url: string
  readonly headers: { readonly [header: string]: string }
  readonly login: ServerLogin | undefined
  readonly maxMessageBytes: number
}

/** Redirects stay on the origin of the server: the headers go with them. */
export const httpTransport = (sdk: Sdk, { headers, login, maxMessageBytes, url }: HttpOptions) => {
  const fetchLimited: FetchLike = async (input, init) =>
    limited(await fetch(input, init), maxMessageBytes)
  return new sdk.StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    ...(login === undefined
      ? { fetch: fetchLimited }
      : { fetch: login.noting(fetchLimited), authProvider: login }),
  })
}

/** A response whose body fails once a message is larger than the limit: a whole JSON body, or one event of a stream. */
const limited = (response: Response, most: number): Response => {
  if (response.body === null) return response
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true
  let size = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        const lastLine = isStream ? chunk.lastIndexOf(NEWLINE) : -1
        size = lastLine < 0 ? size + chunk.length : chunk.length - lastLine - 1
        if (size > most) {
          controller.error(
            new McpFailed(
              "too_large",
              `it sent a message larger than ${most} bytes (max_message_bytes)`,
            ),
          )
        } else controller.enqueue(chunk)
      },
    }),
  )
  const { headers, status, statusText } = response
  return new Response(counted, { headers, status, statusText })
}

const NEWLINE = 0x0a
