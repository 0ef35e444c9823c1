/** This program as a client of an authorization server: declared, described by a document, or registered by the server. */
import type { FetchLike, OAuthClientInformationMixed } from "@modelcontextprotocol/client"
import type { Sdk } from "../connection/sdk.ts"
import { McpFailed } from "../McpFailed.ts"
import type { Endpoint } from "../servers/Server.ts"
import { isConfidential } from "./addresses.ts"
import type { Discovered } from "./discoverIssuer.ts"
import { loginFailure } from "./loginFailure.ts"
import type { LoginClient } from "./LoginStore.ts"

export interface ClientOptions {
  readonly sdk: Sdk
  readonly endpoint: Endpoint
  readonly found: Discovered
  /** Of an earlier login at the same issuer. */
  readonly known: LoginClient | undefined
  readonly redirect: string
  readonly scope: string | undefined
  readonly fetchFn: FetchLike
}

/** Rejects with a `McpFailed` where none of the three is possible. */
export const clientOf = async (options: ClientOptions): Promise<LoginClient> => {
  const { endpoint, fetchFn, found, known, redirect, scope, sdk } = options
  const { issuer, metadata } = found
  const { client_id: declared } = endpoint.oauth ?? {}
  if (declared !== undefined) {
    const isDocument = sdk.isHttpsUrl(declared)
    if (!isDocument || metadata.client_id_metadata_document_supported === true) {
      return { client_id: declared }
    }
  }
  if (known?.redirect_uris?.includes(redirect) === true) return known
  const registration = metadata.registration_endpoint
  if (registration === undefined) {
    throw new McpFailed(
      "auth",
      declared === undefined
        ? `${issuer} registers no clients by itself: register one there with the redirect http://127.0.0.1/callback, and write its id to oauth: { client_id: … } of the server`
        : `${issuer} reads no documents of clients: register a client there, and write its id to oauth: { client_id: … } of the server`,
    )
  }
  if (!isConfidential(new URL(registration))) {
    throw new McpFailed("auth", `the registration_endpoint of ${issuer} is not https://`)
  }
  const registered = await sdk
    .registerClient(issuer, {
      metadata,
      clientMetadata: {
        client_name: "Planloom",
        client_uri: "https://github.com/planloom/planloom",
        redirect_uris: [redirect],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        application_type: "native",
      },
      ...(scope === undefined ? {} : { scope }),
      fetchFn,
    })
    .catch((error: unknown) => {
      throw loginFailure(error, `the registration at ${issuer}`)
    })
  return {
    client_id: registered.client_id,
    client_secret: registered.client_secret,
    token_endpoint_auth_method: registered.token_endpoint_auth_method,
    redirect_uris: [redirect],
  }
}

/** The client's credentials for the token endpoint: with the secret of a declared client. */
export const credentialsOf = (
  client: LoginClient,
  { oauth }: Endpoint,
  secret: (name: string) => string | undefined,
): OAuthClientInformationMixed => {
  const name = client.redirect_uris === undefined ? oauth?.client_secret?.secret : undefined
  if (name === undefined) return client as OAuthClientInformationMixed
  const value = secret(name)
  if (value === undefined || value === "") {
    throw new McpFailed("auth", `its client needs the secret ${name}, which is not set`)
  }
  return { client_id: client.client_id, client_secret: value }
}
