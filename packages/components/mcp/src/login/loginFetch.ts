/** Requests for a login: to addresses that a public server may name, without redirects, limited in size and time. */
import { lookup as lookUp } from "node:dns"
import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { isIP, type LookupFunction } from "node:net"
import type { FetchLike } from "@modelcontextprotocol/client"
import { McpFailed } from "../McpFailed.ts"
import { hostOf, isConfidential, mayReach } from "./addresses.ts"

const TIMEOUT_MS = 30_000
const MAX_BYTES = 1_000_000

export interface LoginFetchOptions {
  /** For a server that is in a private network itself. */
  readonly allowsPrivate: boolean
  readonly signal?: AbortSignal
}

/** Redirects are returned: the SDK follows those within an origin. Rejects with a `McpFailed`. */
export const loginFetch =
  ({ allowsPrivate, signal }: LoginFetchOptions): FetchLike =>
  async (input, init = {}) => {
    const url = new URL(input)
    const host = hostOf(url)
    if (!isConfidential(url)) throw refused(url, "is not https://")
    if (isIP(host) !== 0 && !mayReach(host, allowsPrivate)) throw refused(url, NOT_PUBLIC)
    const late = AbortSignal.timeout(TIMEOUT_MS)
    const either = signal === undefined ? late : AbortSignal.any([signal, late])
    try {
      return await send(url, init, guarded(url, allowsPrivate), either)
    } catch (error) {
      if (error instanceof McpFailed) throw error
      if (signal?.aborted === true) throw signal.reason
      throw late.aborted
        ? new McpFailed("timeout", `${url.origin} did not answer in ${TIMEOUT_MS / 1000} s`)
        : new McpFailed("unavailable", `${url.origin} cannot be reached: ${codeOf(error)}`)
    }
  }

const NOT_PUBLIC = "has an address that is not public"

const refused = ({ origin, pathname }: URL, why: string): McpFailed =>
  new McpFailed("auth", `${origin}${pathname} ${why}, so that no request is sent to it`)

const codeOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message
}

/** The connection is made to a checked address: a second look-up cannot bring another one. */
const guarded =
  (url: URL, allowsPrivate: boolean): LookupFunction =>
  (host, options, found) => {
    lookUp(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return found(error, "")
      const allowed = addresses.filter(({ address }) => mayReach(address, allowsPrivate))
      const [first] = allowed
      if (first === undefined || allowed.length < addresses.length)
        return found(refused(url, NOT_PUBLIC), "")
      return options.all === true ? found(null, allowed) : found(null, first.address, first.family)
    })
  }

/** Statuses of responses without a body. */
const bodiless = new Set([204, 205, 304])

const send = (
  url: URL,
  { body, headers, method = "GET" }: RequestInit,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const text = body === undefined || body === null ? undefined : String(body)
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
      method,
      headers: {
        ...Object.fromEntries(new Headers(headers)),
        ...(text === undefined ? {} : { "content-length": Buffer.byteLength(text) }),
      },
      lookup,
      signal,
      agent: false,
    })
    request.on("error", reject)
    request.on("response", (response) => {
      const parts: Array<Buffer> = []
      let size = 0
      response.on("error", reject)
      response.on("data", (part: Buffer) => {
        size += part.length
        parts.push(part)
        if (size > MAX_BYTES) {
          const why = `${url.origin} sent more than ${MAX_BYTES} bytes for a login`
          request.destroy(new McpFailed("too_large", why))
          reject(new McpFailed("too_large", why))
        }
      })
      response.on("end", () => {
        const { headers: received, statusCode: status = 502 } = response
        const fields = Object.entries(received).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)] as [string, string]],
        )
        resolve(
          new Response(bodiless.has(status) ? null : Buffer.concat(parts), {
            status,
            headers: fields,
          }),
        )
      })
    })
    request.end(text)
  })
