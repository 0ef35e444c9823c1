/** Sends requests to allowed hosts at checked addresses, within limits of size and time. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { redact } from "@planloom/provider-kit"
import { HttpFailed, notAllowed, refused } from "../HttpFailed.ts"
import { AddressGuard, type Resolve } from "./AddressGuard.ts"
import { AllowedHosts } from "./AllowedHosts.ts"
import { connectionFailure } from "./connectionFailure.ts"
import { acceptedEncodings, readBody } from "./readBody.ts"
import { redirected } from "./redirected.ts"
import { isReading, type Request, type Response } from "./Request.ts"

export interface TransportOptions {
  readonly hosts: ReadonlyArray<string>
  /** Ranges of addresses that are not public and may be connected to. */
  readonly private: ReadonlyArray<string>
  readonly methods: ReadonlyArray<string>
  /** Milliseconds for a request with its redirects and the whole answer. */
  readonly timeout: number
  /** Of an answer, decompressed. */
  readonly maxBytes: number
  readonly maxRedirects: number
  readonly resolve?: Resolve
}

export class Transport {
  readonly options: TransportOptions
  private readonly hosts: AllowedHosts
  private readonly guard: AddressGuard
  private readonly agents = {
    "http:": new HttpAgent({ keepAlive: true }),
    "https:": new HttpsAgent({ keepAlive: true }),
  }

  constructor(options: TransportOptions) {
    this.options = options
    this.hosts = new AllowedHosts(options.hosts)
    this.guard = new AddressGuard(options.private, options.resolve)
  }

  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy()
  }

  /** Fails with `HttpFailed` unless a whole answer arrives, whatever its status. */
  async send(request: Request, signal: AbortSignal): Promise<Response> {
    const { timeout } = this.options
    const limit = AbortSignal.timeout(timeout)
    try {
      return await this.follow(request, AbortSignal.any([signal, limit]))
    } catch (error) {
      signal.throwIfAborted()
      const failure =
        limit.aborted && !(error instanceof HttpFailed)
          ? new HttpFailed(
              "timeout",
              `${request.url.origin} gave no whole answer within ${timeout} ms`,
            )
          : connectionFailure(error, request.url)
      throw failure.reworded(redact(failure.message, request.secrets))
    }
  }

  /** Whether the config lists the host by its name. */
  names(url: URL): boolean {
    return this.hosts.names(url)
  }

  private async follow(first: Request, signal: AbortSignal): Promise<Response> {
    const { maxBytes, maxRedirects } = this.options
    let request = first
    for (let hops = 0; ; hops++) {
      this.check(request)
      const response = await this.respond(request, signal)
      const next = redirected(request, response)
      if (next === undefined) {
        const body =
          request.method === "HEAD" ? Buffer.alloc(0) : await readBody(response, maxBytes)
        const { headers, statusCode = 0, statusMessage = "" } = response
        return { status: statusCode, statusText: statusMessage, url: request.url, headers, body }
      }
      response.destroy()
      if (hops === maxRedirects) {
        throw new HttpFailed(
          "tool_error",
          `${first.url.origin} redirects more than ${maxRedirects} times`,
        )
      }
      request = next
    }
  }

  private check({ method, url }: Request): void {
    const { methods } = this.options
    if (!methods.includes(method)) {
      throw notAllowed(`the method ${method} is not allowed: \`methods\` has ${methods.join(", ")}`)
    }
    const problem = this.hosts.problem(url)
    // A path that is outside depends on arguments, a host on nothing but the config.
    if (problem !== undefined) throw (this.hosts.includes(url) ? refused : notAllowed)(problem)
    this.guard.checkLiteral(url.hostname)
  }

  private async respond(request: Request, signal: AbortSignal): Promise<IncomingMessage> {
    try {
      // A write gets a connection of its own, because it must not be repeated on another one.
      return await this.open(request, signal, isReading(request.method))
    } catch (error) {
      // The server closed an idle connection at the same time; a read is safe to repeat, on a new one.
      if (error instanceof StaleConnection) return this.open(request, signal, false)
      throw error
    }
  }

  private open(
    { authHeaders, body, headers, method, url }: Request,
    signal: AbortSignal,
    isShared: boolean,
  ): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const isSecure = url.protocol === "https:"
    const sent = (isSecure ? httpsRequest : httpRequest)(url, {
      method,
      headers: {
        "user-agent": "planloom",
        "accept-encoding": acceptedEncodings,
        ...headers,
        ...authHeaders,
        ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
      },
      lookup: this.guard.lookup,
      agent: isShared ? this.agents[isSecure ? "https:" : "http:"] : false,
      signal,
    })
    sent.on("response", resolve)
    sent.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = sent.reusedSocket && error.code === "ECONNRESET"
      reject(isStale ? new StaleConnection() : error)
    })
    sent.end(body)
    return promise
  }
}

class StaleConnection extends Error {}
