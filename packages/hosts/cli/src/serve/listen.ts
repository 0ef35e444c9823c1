/** Serves a web-standard handler with node:http until the scope closes. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import type { Connection } from "@planloom/server"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { problem, type Refused } from "../Refused.ts"

export interface Listening {
  readonly host: string
  readonly port: number
  readonly handle: (request: Request, connection: Connection) => Promise<Response>
  readonly limits?: Partial<ConnectionLimits>
}

/** Limits of what a client may leave unfinished, in milliseconds; Node replies 408 and closes the connection. */
export interface ConnectionLimits {
  /** From the opened connection, or the last reply, to the end of the next request's headers. */
  readonly headers: number
  /** From there to the end of its body. */
  readonly request: number
  /** Of a connection without a request. */
  readonly idle: number
  /** How often unfinished requests are looked for. */
  readonly check: number
  /** Connections at once; further ones are closed. */
  readonly connections: number
}

const LIMITS: ConnectionLimits = {
  headers: 10_000,
  request: 30_000,
  idle: 10_000,
  check: 2000,
  connections: 4096,
}

/** How long event streams may take for what is left to send, such as the end of their run, once the runs have been left. */
const LAST_EVENTS_MS = 500

/** How long current responses may take after the server stops accepting requests. */
const DRAIN_MS = 2000

/** Returns the port. When the scope closes, the server accepts no new requests and ends event streams. */
export const listen = (given: Listening): Effect.Effect<number, Refused, Scope> =>
  Effect.map(
    Effect.acquireRelease(opened(given), closed),
    ({ server }) => (server.address() as AddressInfo).port,
  )

interface Open {
  readonly server: Server
  /** Responses that stay open until one side ends them. */
  readonly streams: Set<ServerResponse>
}

const opened = ({ handle, host, limits, port }: Listening): Effect.Effect<Open, Refused> =>
  Effect.callback((resume) => {
    const streams = new Set<ServerResponse>()
    const { check, connections, headers, idle, request } = { ...LIMITS, ...limits }
    const server = createServer(
      {
        headersTimeout: headers,
        requestTimeout: request,
        keepAliveTimeout: idle,
        connectionsCheckingInterval: check,
      },
      (incoming, outgoing) => {
        void answered(incoming, outgoing, handle, streams).catch(() => outgoing.destroy())
      },
    )
    server.maxConnections = connections
    server.once("error", (error: NodeJS.ErrnoException) =>
      resume(Effect.fail(problem(...whyNot(error, host, port)))),
    )
    server.listen(port, host, () => resume(Effect.succeed({ server, streams })))
  })

const whyNot = (
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
): readonly [string, string?] => {
  switch (code) {
    case "EADDRINUSE":
      return [
        `port ${port} of ${host} is in use`,
        `planloom serve --port ${port + 1}, or --port 0 for any free port`,
      ]
    case "EACCES":
      return [`this user may not use port ${port}`, "use a port from 1024 up"]
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return [`this machine has no address "${host}"`, "--host 127.0.0.1"]
    default:
      return [`cannot listen on ${host}, port ${port}: ${message}`]
  }
}

const closed = ({ server, streams }: Open): Effect.Effect<void> =>
  Effect.raceFirst(
    Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeIdleConnections()
    }),
    Effect.interruptible(
      Effect.sleep(LAST_EVENTS_MS).pipe(
        Effect.andThen(
          Effect.sync(() => {
            for (const stream of streams) stream.destroy()
            server.closeIdleConnections()
          }),
        ),
        Effect.andThen(Effect.sleep(DRAIN_MS)),
        Effect.andThen(Effect.sync(() => server.closeAllConnections())),
        Effect.andThen(Effect.never),
      ),
    ),
  )

const answered = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: Listening["handle"],
  streams: Set<ServerResponse>,
): Promise<void> => {
  const request = requestOf(incoming)
  if (request === undefined) {
    outgoing.writeHead(400, { "content-type": "text/plain" }).end("the request is not valid\n")
    return
  }
  const response = await handle(request, { address: incoming.socket.remoteAddress })
  // The rest of a rejected body is not read, because it may be endless.
  if (!incoming.complete) outgoing.setHeader("connection", "close")
  const headers = Object.fromEntries(response.headers)
  if (response.body === null || headers["content-type"] !== "text/event-stream") {
    // One write to the socket instead of one for each of headers, body and end.
    const body = new Uint8Array(await response.arrayBuffer())
    outgoing.writeHead(response.status, { ...headers, "content-length": body.byteLength })
    outgoing.end(body)
    return
  }
  outgoing.writeHead(response.status, headers)
  streams.add(outgoing)
  outgoing.flushHeaders()
  const reader = response.body.getReader()
  outgoing.once("close", () => {
    streams.delete(outgoing)
    reader.cancel().catch(() => undefined)
  })
  while (true) {
    const { done, value } = await reader.read()
    if (done) break
    if (!outgoing.write(value)) await drained(outgoing)
  }
  outgoing.end()
}

/** Waits until the response can take more data or is closed. */
const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    outgoing.once("drain", resolve)
    outgoing.once("close", resolve)
  })

/** Converts the request; undefined if host and path are not a valid URL. */
const requestOf = (incoming: IncomingMessage): Request | undefined => {
  const { headers, method = "GET", url = "/" } = incoming
  const target = `http://${headers.host ?? "localhost"}${url}`
  if (!url.startsWith("/") || !URL.canParse(target)) return undefined
  const withBody = method !== "GET" && method !== "HEAD"
  try {
    return new Request(target, {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        value === undefined
          ? []
          : [[name, Array.isArray(value) ? value.join(", ") : value] as [string, string]],
      ),
      ...(withBody
        ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: "half" as const }
        : {}),
    })
  } catch {
    return undefined
  }
}
