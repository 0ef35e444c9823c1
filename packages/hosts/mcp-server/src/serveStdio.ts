/** Serves one client over standard input and output. */
import { serveStdio as serve, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import type { Readable, Writable } from "node:stream"
import type { ApiHandler } from "./Api.ts"
import { createServer, newState, type ServerOptions } from "./createServer.ts"

export interface StdioOptions extends ServerOptions {
  readonly input: Readable
  readonly output: Writable
  /** Receives what went wrong apart from a request. */
  readonly onError?: (error: Error) => void
}

export interface StdioConnection {
  /** Resolves when the input has ended, the output takes no more, or a message was too long. */
  readonly ended: Promise<void>
  /** Resolves when no call is under way. */
  readonly settled: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Bytes of a message; a longer one ends the connection, since its end cannot be found. */
const MAX_MESSAGE_BYTES = 1024 * 1024

export const serveStdio = (handle: ApiHandler, options: StdioOptions): StdioConnection => {
  const { input, onError, output } = options
  const transport = new EndingTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES })
  const state = newState()
  const { close } = serve((context) => createServer(handle, options, context, state), {
    transport,
    ...(onError === undefined ? {} : { onerror: onError }),
  })
  return { ended: transport.ended, settled: () => state.calls.settled(), close }
}

class EndingTransport extends StdioServerTransport {
  private readonly end = Promise.withResolvers<void>()

  get ended(): Promise<void> {
    return this.end.promise
  }

  override async close(): Promise<void> {
    await super.close()
    this.end.resolve()
  }
}
