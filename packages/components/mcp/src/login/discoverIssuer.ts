/** The authorization server of a server: who issues its tokens, where, and with which rights. */
import type {
  AuthorizationServerMetadata,
  FetchLike,
  OAuthProtectedResourceMetadata,
} from "@modelcontextprotocol/client"
import type { Sdk } from "../connection/sdk.ts"
import { McpFailed } from "../McpFailed.ts"
import { isConfidential } from "./addresses.ts"
import { loginFailure } from "./loginFailure.ts"

export interface Discovered {
  readonly issuer: string
  readonly metadata: AuthorizationServerMetadata
  /** As the server names itself; undefined for one that says nothing about itself. */
  readonly resource: string | undefined
  /** Rights that the server knows. */
  readonly scopes: ReadonlyArray<string> | undefined
}

export interface DiscoverOptions {
  readonly sdk: Sdk
  readonly url: string
  /** The address of its metadata, as the server gave it. */
  readonly metadataUrl: string | undefined
  readonly fetchFn: FetchLike
  /** Whether the server is on this machine or in a private network. */
  readonly isPrivate: boolean
}

/** Rejects with a `McpFailed`. */
export const discoverIssuer = async (options: DiscoverOptions): Promise<Discovered> => {
  const { fetchFn, isPrivate, sdk, url } = options
  const described = await describedBy(options)
  if (
    described !== undefined &&
    !sdk.checkResourceAllowed({ requestedResource: url, configuredResource: described.resource })
  ) {
    throw new McpFailed("auth", `its metadata is that of ${described.resource}, another server`)
  }
  // Servers without metadata of their own are their own authorization servers.
  const issuer = described?.authorization_servers?.[0] ?? new URL("/", url).href
  const metadata = await sdk
    .discoverAuthorizationServerMetadata(issuer, { fetchFn })
    .catch((error: unknown) => {
      throw loginFailure(error, `the metadata of ${issuer}`)
    })
  if (metadata === undefined) {
    throw new McpFailed(
      "auth",
      described === undefined
        ? "it offers no login: it has no metadata of an authorization server"
        : `${issuer}, which its metadata names, has no metadata of an authorization server`,
    )
  }
  check(metadata, isPrivate)
  return {
    issuer: metadata.issuer,
    metadata,
    resource: described?.resource,
    scopes: described?.scopes_supported,
  }
}

/** Undefined for a server without metadata. */
const describedBy = async ({
  fetchFn,
  metadataUrl,
  sdk,
  url,
}: DiscoverOptions): Promise<OAuthProtectedResourceMetadata | undefined> => {
  const statuses: Array<number> = []
  const noting: FetchLike = async (input, init) => {
    const response = await fetchFn(input, init)
    statuses.push(response.status)
    return response
  }
  try {
    return await sdk.discoverOAuthProtectedResourceMetadata(
      url,
      metadataUrl === undefined ? {} : { resourceMetadataUrl: metadataUrl },
      noting,
    )
  } catch (error) {
    const isAbsent =
      metadataUrl === undefined &&
      !(error instanceof McpFailed) &&
      statuses.every((status) => status >= 400 && status < 500)
    if (isAbsent) return undefined
    throw loginFailure(
      error,
      `its metadata${metadataUrl === undefined ? "" : ` at ${metadataUrl}`}`,
    )
  }
}

/** A public server sends no browser to an address without TLS, also not on this machine. */
const check = (metadata: AuthorizationServerMetadata, isPrivate: boolean): void => {
  const { authorization_endpoint, code_challenge_methods_supported: challenges } = metadata
  const endpoints = { authorization_endpoint, token_endpoint: metadata.token_endpoint }
  for (const [name, address] of Object.entries(endpoints)) {
    const url = URL.canParse(address) ? new URL(address) : undefined
    if (url === undefined || !(url.protocol === "https:" || (isPrivate && isConfidential(url)))) {
      throw new McpFailed("auth", `the ${name} of ${metadata.issuer} is not https://`)
    }
  }
  if (challenges?.includes("S256") !== true) {
    throw new McpFailed("auth", `${metadata.issuer} does not support PKCE with S256`)
  }
}
