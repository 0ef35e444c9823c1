/** Common parts of requests over HTTP: the options of their endpoint, their caller, and their rejections. */
import type { ApiHandler } from "./Api.ts"
import type { ServerOptions } from "./createServer.ts"

export interface HttpOptions extends ServerOptions {
  /** Largest request body in bytes; 1 MiB unless given. */
  readonly maxBody?: number
}

/** Who sends a request, as the host has found out. */
export interface HttpCaller {
  /** Sessions of one id are not those of another. */
  readonly id: string
  readonly api: ApiHandler
}

/** Rejects a request before its message is read. */
export const rejection = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status })
