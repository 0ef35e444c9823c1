/** The login of a person in the requests of a run: sends its token, renews it once for all calls, and says when a person has to log in. */
import type { AuthProvider } from "@modelcontextprotocol/client"
import { cleanLine } from "@planloom/plugin/clean"
import { hidingValues, type Hide } from "../connection/hideSecrets.ts"
import type { Sdk } from "../connection/sdk.ts"
import { McpFailed } from "../McpFailed.ts"
import { isCommand, type Endpoint, type Server } from "../servers/Server.ts"
import { isConfidential, isPrivateHost } from "./addresses.ts"
import { credentialsOf } from "./clientOf.ts"
import { hasOwnAuthorization } from "../servers/hasOwnAuthorization.ts"
import { loginFetch } from "./loginFetch.ts"
import {
  currentLogin,
  withTokens,
  type IssuerLogin,
  type LoginStore,
  type Tokens,
} from "./LoginStore.ts"
import { readTokens } from "./readTokens.ts"

export interface ServerLoginOptions {
  readonly sdk: Sdk
  readonly server: Server
  readonly secret: (name: string) => string | undefined
  readonly store: LoginStore
}

/** A token that ends within this time is renewed first. */
const EARLY_MS = 10_000
const MAX_CHALLENGE_CHARS = 2000

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>

export class ServerLogin implements AuthProvider {
  private readonly options: ServerLoginOptions
  private readonly endpoint: Endpoint
  private tokens: Tokens | undefined
  private renewing: Promise<Tokens> | undefined
  /** The token that each response was asked for with. */
  private readonly sent = new WeakMap<Response, string>()
  /** All that it had. */
  private readonly secrets = new Set<string>()
  private hiding: Hide = (text) => text

  constructor(options: ServerLoginOptions, endpoint: Endpoint) {
    this.options = options
    this.endpoint = endpoint
    this.take(currentLogin(options.store.read(endpoint))?.tokens)
  }

  readonly hide: Hide = (text) => this.hiding(text)

  /** The token for the next request, if there is a login. */
  readonly token = async (): Promise<string | undefined> => {
    if (this.tokens === undefined) this.take(this.stored()?.tokens)
    const { tokens } = this
    if (tokens === undefined) return undefined
    const ends = (tokens.expires ?? Number.POSITIVE_INFINITY) <= Date.now() + EARLY_MS
    return ends && tokens.refresh !== undefined
      ? (await this.renewed(tokens.access)).access
      : tokens.access
  }

  /** The request is sent once more if this resolves. Rejects with a `McpFailed`. */
  readonly onUnauthorized = async ({
    response,
  }: {
    readonly response: Response
  }): Promise<void> => {
    await this.renewed(this.sent.get(response))
  }

  /** Notes with which token each request was sent, and what a server that refuses it asks for. */
  readonly noting =
    (fetch: Fetch): Fetch =>
    async (input, init) => {
      const response = await fetch(input, init)
      const sent = /^Bearer (.*)$/.exec(new Headers(init?.headers).get("authorization") ?? "")?.[1]
      if (sent !== undefined) this.sent.set(response, sent)
      if (response.status === 401 || response.status === 403) await this.note(response)
      return response
    }

  /** The failure of a request that was refused for its token; undefined for any other one. */
  readonly failureOf = (error: unknown): McpFailed | undefined => {
    const failure = this.refusalOf(error)
    // The next request reads whether a person has logged in again.
    if (failure !== undefined) this.tokens = undefined
    return failure
  }

  private refusalOf(error: unknown): McpFailed | undefined {
    if (error instanceof this.options.sdk.InsufficientScopeError) {
      const { requiredScope } = error
      const rights = requiredScope === undefined ? "" : ` (${requiredScope})`
      return this.refused(`wants more rights than its login has${rights}`)
    }
    return (error as { readonly status?: unknown }).status === 401
      ? this.refused("does not accept its login")
      : undefined
  }

  private stored() {
    return currentLogin(this.options.store.read(this.endpoint))
  }

  private take(tokens: Tokens | undefined): void {
    this.tokens = tokens
    for (const value of [tokens?.access, tokens?.refresh]) {
      if (value === undefined || this.secrets.has(value)) continue
      this.secrets.add(value)
      this.hiding = hidingValues([...this.secrets])
    }
  }

  private refused(why: string): McpFailed {
    const { name } = this.options.server
    const text = `the server "${name}" ${why}: planloom mcp login ${name}`
    return new McpFailed("auth", this.hide(cleanLine(text, MAX_CHALLENGE_CHARS)))
  }

  /** Others than the token that was refused; calls that ask at the same time get the same ones. */
  private async renewed(refused: string | undefined): Promise<Tokens> {
    if (this.tokens !== undefined && this.tokens.access !== refused && refused !== undefined) {
      return this.tokens
    }
    this.renewing ??= this.renew(refused).finally(() => {
      this.renewing = undefined
    })
    return this.renewing
  }

  private async renew(refused: string | undefined): Promise<Tokens> {
    const { store } = this.options
    const { endpoint } = this
    let failure: McpFailed | undefined
    const logins = await store.update(endpoint, async (before) => {
      const login = currentLogin(before)
      // A person or another process may have brought other ones.
      if (login?.tokens === undefined || login.tokens.access !== refused) return undefined
      this.take(login.tokens)
      const { refresh } = login.tokens
      if (refresh === undefined) return undefined
      try {
        const { scope, tokens } = await this.refresh(login, refresh)
        return withTokens(before, tokens, scope)
      } catch (error) {
        failure = this.renewalFailure(error)
        return failure.class === "auth" ? withTokens(before, undefined) : undefined
      }
    })
    if (failure !== undefined) {
      if (failure.class === "auth") this.tokens = undefined
      throw failure
    }
    const tokens = currentLogin(logins)?.tokens
    this.take(tokens)
    if (tokens === undefined || tokens.access === refused) {
      throw this.refused(tokens === undefined ? "needs a login" : "has ended its login")
    }
    return tokens
  }

  private async refresh(
    login: IssuerLogin,
    refreshToken: string,
  ): Promise<{ readonly tokens: Tokens; readonly scope?: string | undefined }> {
    const { sdk, secret } = this.options
    const { client, metadata, resource } = login
    const given = await sdk.refreshAuthorization(metadata.issuer, {
      metadata,
      clientInformation: credentialsOf(client, this.endpoint, secret),
      refreshToken,
      ...(resource === undefined ? {} : { resource }),
      fetchFn: loginFetch({ allowsPrivate: await isPrivateHost(new URL(this.endpoint.url)) }),
    })
    return { tokens: readTokens(given, metadata.issuer), scope: given.scope }
  }

  /** Class `auth` if the login has ended; others may pass. */
  private renewalFailure(error: unknown): McpFailed {
    const { code } = error as { readonly code?: unknown }
    if (typeof code === "string" && ended.has(code)) return this.refused("has ended its login")
    const { name } = this.options.server
    const why =
      error instanceof McpFailed
        ? error.message
        : typeof code === "string"
          ? code
          : "the answer cannot be read"
    return new McpFailed(
      "unavailable",
      this.hide(`the login of the server "${name}" cannot be renewed: ${why}`),
    )
  }

  private async note(response: Response): Promise<void> {
    const { error, resourceMetadataUrl, scope } =
      this.options.sdk.extractWWWAuthenticateParams(response)
    if (response.status === 403 && error !== "insufficient_scope") return
    const wanted = { scope, metadata: resourceMetadataUrl?.href }
    const { store } = this.options
    const before = store.read(this.endpoint).wanted
    const isNew = before?.scope !== wanted.scope || before?.metadata !== wanted.metadata
    const size = (scope?.length ?? 0) + (wanted.metadata?.length ?? 0)
    if (!isNew || size === 0 || size > MAX_CHALLENGE_CHARS) return
    await store
      .update(this.endpoint, (logins) => ({ ...logins, wanted }))
      .catch(() => {
        // The state folder cannot be written. The failure of the request says what is wanted, too.
      })
  }
}

/** Errors of the token endpoint after which a refresh token is of no use. */
const ended = new Set(["invalid_grant", "invalid_client", "unauthorized_client", "invalid_scope"])

/** Undefined for a server to which no token may be sent: a program, one whose file does not speak for the person, one with an Authorization header, or one without TLS. */
export const serverLogin = (options: ServerLoginOptions): ServerLogin | undefined => {
  const { reach } = options.server
  return isCommand(reach) ||
    reach.isAnonymous === true ||
    hasOwnAuthorization(reach) ||
    !isConfidential(new URL(reach.url))
    ? undefined
    : new ServerLogin(options, reach)
}
