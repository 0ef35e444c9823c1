/** The tool source: sends the request of a call, and gives its answer. */
import * as Effect from "effect/Effect"
import {
  ToolFailed,
  type CatalogTools,
  type Host,
  type Json,
  type JsonObject,
  type Tool,
  type ToolResult,
  type ToolSource,
} from "@planloom/plugin/effect"
import { contentType, readAnswer, type Wanted } from "./answer/readAnswer.ts"
import { readPages } from "./answer/readPages.ts"
import { authenticate, secretsOf, type Auth } from "./auth/Auth.ts"
import { hideSecrets } from "./auth/hideSecrets.ts"
import { buildRequest, withAuth } from "./endpoint/buildRequest.ts"
import {
  checkEndpoint,
  completeEndpoint,
  endpointOf,
  wantsJson,
  type Allowed,
} from "./endpoint/checkEndpoint.ts"
import { endpointSchema, type Endpoint } from "./endpoint/Endpoint.ts"
import { HttpFailed, refused } from "./HttpFailed.ts"
import { AllowedHosts } from "./net/AllowedHosts.ts"
import type { Request, Response } from "./net/Request.ts"
import type { Transport } from "./net/Transport.ts"
import { requestOf, requestTools } from "./requestTools.ts"

export interface HttpToolsOptions extends Pick<Host, "maySend"> {
  readonly transport: Transport
  /** By entry of an allow-list of hosts. */
  readonly auth: ReadonlyMap<string, Auth>
  /** The value of a secret. */
  readonly secret: (name: string) => string | undefined
}

/** How `check` reads endpoints of catalogs. */
export const endpointTools = (allowed: Allowed): CatalogTools => ({
  schema: endpointSchema,
  complete: completeEndpoint,
  check: (entry) => checkEndpoint(entry, allowed),
})

export const httpTools = (options: HttpToolsOptions): ToolSource => {
  const calls = new HttpCalls(options)
  return {
    id: "http",
    summary: "Calls HTTP APIs.",
    list: Effect.succeed({ tools: requestTools }),
    catalogTools: endpointTools(options.transport.options),
    call: ({ entry, params, tool }) =>
      Effect.tryPromise({
        try: async (signal): Promise<ToolResult> => {
          if (entry !== undefined) return { value: await calls.endpoint(entry, params, signal) }
          if (!requestTools.some(({ name }) => name === tool)) {
            throw refused(`there is no tool "${tool}"`)
          }
          return { value: await calls.request(params, signal) }
        },
        catch: (error) => error,
      }).pipe(
        Effect.catch((error) =>
          error instanceof HttpFailed ? Effect.fail(toolFailed(tool, error)) : Effect.die(error),
        ),
      ),
  }
}

/** Whether the config excludes the request: where the caller chose its URL, another one may be allowed. */
const isExcluded = (error: unknown): error is HttpFailed =>
  error instanceof HttpFailed && error.class === "not_allowed"

/** A URL without these parameters, which authenticate. */
const withoutQuery = (url: URL, names: ReadonlyArray<string>): string => {
  if (names.length === 0) return url.href
  const shown = new URL(url)
  for (const name of names) shown.searchParams.delete(name)
  return shown.href
}

const toolFailed = (tool: string, { class: kind, detail, message, retryAfter }: HttpFailed) =>
  new ToolFailed({
    tool,
    class: kind,
    message,
    ...(detail === undefined ? {} : { detail }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })

/** Requests with their authentication. */
class HttpCalls {
  private readonly options: HttpToolsOptions
  private readonly authHosts: ReadonlyArray<readonly [AllowedHosts, Auth]>

  constructor(options: HttpToolsOptions) {
    this.options = options
    this.authHosts = [...options.auth].map(([host, auth]) => [new AllowedHosts([host]), auth])
  }

  /** A call of `http_get` or `http_request`. */
  async request(given: JsonObject, signal: AbortSignal): Promise<Json> {
    const { endpoint, params } = requestOf(given)
    const request = buildRequest(endpoint, params)
    const { authQuery, hidden, read } = await this.reader(endpoint, request, "any", signal)
    const { response, value } = await read(request.url).catch((error: unknown) => {
      throw isExcluded(error) && !this.options.transport.names(request.url)
        ? error.reworded(error.message, error.detail, "invalid_request")
        : error
    })
    return hidden({
      status: response.status,
      url: withoutQuery(response.url, authQuery),
      content_type: contentType(response),
      body: value,
    })
  }

  /** A call of a tool that a catalog describes. */
  async endpoint(entry: Tool, params: JsonObject, signal: AbortSignal): Promise<Json> {
    const endpoint = endpointOf(entry)
    const request = buildRequest(endpoint, params)
    const wanted = wantsJson(endpoint, entry)
      ? "json"
      : endpoint.response === "text"
        ? "text"
        : "any"
    const { hidden, read } = await this.reader(endpoint, request, wanted, signal)
    if (endpoint.pages === undefined) return hidden((await read(request.url)).value)
    const all = await readPages(endpoint.pages, request.url, async (url) => {
      const { response, value } = await read(url)
      const { link } = response.headers
      return { value, url: response.url, link: Array.isArray(link) ? link.join(", ") : link }
    })
    return hidden(all)
  }

  private async reader(endpoint: Endpoint, request: Request, wanted: Wanted, signal: AbortSignal) {
    const auths = this.authOf(endpoint, request.url)
    await this.requireSending(auths, request.url)
    const auth = authenticate(auths, this.options.secret)
    const hidden = (value: Json): Json => hideSecrets(value, auth.secrets)
    const read = async (
      url: URL,
    ): Promise<{ readonly response: Response; readonly value: Json }> => {
      const response = await this.options.transport.send(
        withAuth({ ...request, url }, auth),
        signal,
      )
      try {
        return { response, value: readAnswer(response, wanted, request.method) }
      } catch (error) {
        if (!(error instanceof HttpFailed)) throw error
        const { detail, message } = error
        throw error.reworded(String(hidden(message)), detail && hidden(detail))
      }
    }
    return { authQuery: auth.query.map(([name]) => name), hidden, read }
  }

  /** Files name the secrets and the addresses, and a stranger may have written them. */
  private async requireSending(auths: ReadonlyArray<Auth>, { origin }: URL): Promise<void> {
    const { maySend } = this.options
    if (maySend === undefined) return
    for (const secret of auths.flatMap(secretsOf)) {
      const refusal = await maySend({ secret, to: origin })
      if (refusal !== undefined) {
        throw new HttpFailed("auth", `the secret ${secret} is not sent: ${refusal}`)
      }
    }
  }

  private authOf({ auth }: Endpoint, url: URL): ReadonlyArray<Auth> {
    if (auth !== undefined)
      return Array.isArray(auth) ? (auth as ReadonlyArray<Auth>) : [auth as Auth]
    const found = this.authHosts.find(([hosts]) => hosts.problem(url) === undefined)
    return found === undefined ? [] : [found[1]]
  }
}
