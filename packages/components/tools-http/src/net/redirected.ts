/** The request that follows a redirect (RFC 9110, 15.4). */
import type { IncomingMessage } from "node:http"
import { HttpFailed } from "../HttpFailed.ts"
import type { Request } from "./Request.ts"

const statuses = new Set([301, 302, 303, 307, 308])

/** Undefined for a response that is no redirect. Another origin gets no authentication. */
export const redirected = (
  request: Request,
  { headers, statusCode = 0 }: IncomingMessage,
): Request | undefined => {
  const { location } = headers
  if (!statuses.has(statusCode) || location === undefined) return undefined
  if (!URL.canParse(location, request.url.href)) {
    throw new HttpFailed("tool_error", `${request.url.origin} redirects to an invalid URL`)
  }
  const url = new URL(location, request.url)
  const { authHeaders, ...rest } = request
  const isSameOrigin = url.origin === request.url.origin
  const kept = isSameOrigin && authHeaders !== undefined ? { ...rest, authHeaders } : rest
  return becomesGet(statusCode, request.method)
    ? { ...withoutBody(kept), method: "GET", url }
    : { ...kept, url }
}

/** Browsers and clients agree on this; 307 and 308 repeat the request as it was. */
const becomesGet = (status: number, method: string): boolean =>
  status === 303 ? method !== "HEAD" : status < 303 && method === "POST"

const withoutBody = ({ body: _, headers, ...rest }: Request): Request => ({
  ...rest,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-type"),
  ),
})
