/** Requests of a server while it works on a call, and their answerer. */
import type { JsonObject } from "@planloom/plugin/effect"

export interface ServerRequest {
  readonly method: string
  readonly params: JsonObject
}

/** Rejects for a request that is not answered. */
export type Answerer = (request: ServerRequest, signal: AbortSignal) => Promise<JsonObject>
