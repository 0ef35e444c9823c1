/** A request, and the whole response to it. */
import type { IncomingMessage } from "node:http"

export interface Request {
  readonly method: string
  readonly url: URL
  readonly headers: { readonly [name: string]: string }
  readonly body?: string | undefined
  /** Headers of the authentication; a redirect to another origin does not get them. */
  readonly authHeaders?: { readonly [name: string]: string }
  /** Values that no message may contain. */
  readonly secrets?: ReadonlyArray<string>
}

export interface Response {
  readonly status: number
  readonly statusText: string
  /** After redirects. */
  readonly url: URL
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

const reading = new Set(["GET", "HEAD", "OPTIONS"])

export const isReading = (method: string): boolean => reading.has(method)
