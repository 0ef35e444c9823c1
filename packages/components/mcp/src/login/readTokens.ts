/** The answer of an authorization server → tokens that are stored. */
import type { OAuthTokens } from "@modelcontextprotocol/client"
import { McpFailed } from "../McpFailed.ts"
import type { Tokens } from "./LoginStore.ts"

/** Throws a `McpFailed`, which does not repeat them. */
export const readTokens = (given: OAuthTokens, issuer: string): Tokens => {
  const { access_token: access, expires_in: seconds, refresh_token: refresh, token_type } = given
  if (token_type.toLowerCase() !== "bearer") {
    throw new McpFailed("auth", `${issuer} gave a token that is no bearer token`)
  }
  // Other characters cannot be sent in a header, and an error about them would show the token.
  if (!/^[\u0021-\u007E]+$/.test(access)) {
    throw new McpFailed("auth", `${issuer} gave a token with characters that no token has`)
  }
  const expires =
    seconds === undefined || !Number.isFinite(seconds) ? undefined : Date.now() + seconds * 1000
  return { access, refresh, expires }
}
