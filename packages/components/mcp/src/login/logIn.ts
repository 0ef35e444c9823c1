/** Logs a person in at an HTTP server: finds its authorization server, sends the browser there, and stores the tokens. */
import { randomBytes } from "node:crypto"
import type { FetchLike } from "@modelcontextprotocol/client"
import { cleanLine } from "@planloom/plugin/clean"
import { valuesOf } from "../connection/childEnvironment.ts"
import { loadSdk, type Sdk } from "../connection/sdk.ts"
import { McpFailed } from "../McpFailed.ts"
import { isCommand, type Endpoint, type Server } from "../servers/Server.ts"
import { isConfidential, isPrivateHost } from "./addresses.ts"
import { clientOf, credentialsOf } from "./clientOf.ts"
import { discoverIssuer, type Discovered } from "./discoverIssuer.ts"
import { hasOwnAuthorization } from "../servers/hasOwnAuthorization.ts"
import { loginFailure } from "./loginFailure.ts"
import { loginFetch } from "./loginFetch.ts"
import { LoginStore, withLogin, type Challenge } from "./LoginStore.ts"
import { readTokens } from "./readTokens.ts"
import { portOf, RedirectServer, type RedirectAnswer } from "./RedirectServer.ts"

export interface LogInOptions {
  readonly server: Server
  readonly secret: (name: string) => string | undefined
  /** The user's state folder. */
  readonly state: string
  readonly signal: AbortSignal
  /** Shows the address at which a person agrees. */
  readonly show: (url: string) => void | Promise<void>
  /** Called when a browser brings the answer of another login. */
  readonly onStray: () => void
}

export interface LoggedIn {
  readonly issuer: string
  readonly scope: string | undefined
  /** Whether the login is renewed without a person. */
  readonly isRenewed: boolean
  /** Epoch milliseconds at which the token ends. */
  readonly expires: number | undefined
}

const MAX_SAID_CHARS = 300

/** Rejects with a `McpFailed`, or with the reason of the signal. */
export const logIn = async (options: LogInOptions): Promise<LoggedIn> => {
  const { server, signal, state } = options
  const endpoint = endpointOf(server)
  const sdk = await loadSdk()
  const store = new LoginStore(state)
  const isPrivate = await isPrivateHost(new URL(endpoint.url))
  const fetchFn = loginFetch({ allowsPrivate: isPrivate, signal })
  const before = store.read(endpoint)
  const asked = await challengeOf(sdk, endpoint, options, fetchFn)
  const found = await discoverIssuer({
    sdk,
    url: endpoint.url,
    metadataUrl: asked.metadata ?? before.wanted?.metadata,
    fetchFn,
    isPrivate,
  })
  const known = before.issuers[found.issuer]
  // More rights are asked for together with those that were given: a narrower token would lose them.
  const wanted = sdk.computeScopeUnion(
    known?.tokens === undefined ? undefined : known.scope,
    asked.scope,
    before.wanted?.scope,
  )
  const scope = scopeOf(found, wanted)
  const sent = randomBytes(32).toString("base64url")
  const redirect = await RedirectServer.open({
    port: portOf(known?.client.redirect_uris?.[0]),
    state: sent,
    onStray: options.onStray,
  })
  try {
    const client = await clientOf({
      sdk,
      endpoint,
      found,
      known: known?.client,
      redirect: redirect.url,
      scope,
      fetchFn,
    })
    const { issuer, metadata, resource } = found
    const credentials = credentialsOf(client, endpoint, options.secret)
    const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(issuer, {
      metadata,
      clientInformation: credentials,
      redirectUrl: redirect.url,
      state: sent,
      ...(scope === undefined ? {} : { scope }),
      ...(resource === undefined ? {} : { resource }),
    })
    await options.show(authorizationUrl.href)
    const answer = await redirect.wait(signal)
    const code = codeIn(sdk, found, answer)
    const given = await sdk
      .exchangeAuthorization(issuer, {
        metadata,
        clientInformation: credentials,
        authorizationCode: code,
        ...(answer.iss === undefined ? {} : { iss: answer.iss }),
        codeVerifier,
        redirectUri: redirect.url,
        ...(resource === undefined ? {} : { resource }),
        fetchFn,
      })
      .catch((error: unknown) => {
        throw loginFailure(error, `the code of ${issuer}`)
      })
    const tokens = readTokens(given, issuer)
    const granted = given.scope ?? scope
    await store.update(endpoint, (logins) =>
      withLogin(logins, issuer, { client, metadata, resource, scope: granted, tokens }),
    )
    return {
      issuer,
      scope: granted,
      isRenewed: tokens.refresh !== undefined,
      expires: tokens.expires,
    }
  } finally {
    redirect.close()
  }
}

const endpointOf = ({ name, reach }: Server): Endpoint => {
  const refuse = (why: string): never => {
    throw new McpFailed("invalid_request", `the server "${name}" ${why}`)
  }
  if (isCommand(reach)) return refuse("is a program that planloom starts: it has no login")
  if (hasOwnAuthorization(reach)) {
    return refuse("has an Authorization header of its own: remove it to log in")
  }
  if (!isConfidential(new URL(reach.url))) {
    return refuse("is not https://: a login there could be read on the way")
  }
  return reach
}

/** The server's challenge to a request without a token. */
const challengeOf = async (
  sdk: Sdk,
  endpoint: Endpoint,
  { secret, server }: LogInOptions,
  fetchFn: FetchLike,
): Promise<Challenge> => {
  const response = await fetchFn(endpoint.url, {
    method: "POST",
    headers: {
      ...valuesOf(endpoint.headers, server, secret),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: sdk.LATEST_PROTOCOL_VERSION,
        capabilities: {},
        clientInfo: { name: "planloom", version: "1" },
      },
    }),
  })
  const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(response)
  return { scope, metadata: resourceMetadataUrl?.href }
}

/** With the right to a refresh token where the authorization server makes it one of its own. */
const scopeOf = ({ metadata, scopes }: Discovered, wanted: string | undefined) => {
  const scope =
    wanted ?? (scopes === undefined || scopes.length === 0 ? undefined : scopes.join(" "))
  return scope !== undefined &&
    metadata.scopes_supported?.includes(OFFLINE) === true &&
    !scope.split(" ").includes(OFFLINE)
    ? `${scope} ${OFFLINE}`
    : scope
}

const OFFLINE = "offline_access"

/** An answer counts only if it is from the issuer that was asked: what it says otherwise is not even shown. */
const codeIn = (
  sdk: Sdk,
  { issuer, metadata }: Discovered,
  { code, description, error, iss }: RedirectAnswer,
): string => {
  try {
    sdk.validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata.issuer,
      issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
    })
  } catch (mismatch) {
    throw loginFailure(mismatch, "the answer of the browser")
  }
  if (code !== undefined && error === undefined) return code
  const why = [error ?? "without a code", description].filter((part) => part !== undefined)
  throw new McpFailed("auth", cleanLine(`${issuer} refused: ${why.join(": ")}`, MAX_SAID_CHARS))
}
