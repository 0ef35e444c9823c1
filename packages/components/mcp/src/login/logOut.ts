/** Forgets the login of a server, and asks its authorization server to end it. */
import type { Server } from "../servers/Server.ts"
import { isCommand } from "../servers/Server.ts"
import { isPrivateHost } from "./addresses.ts"
import { credentialsOf } from "./clientOf.ts"
import { loginFetch } from "./loginFetch.ts"
import { currentLogin, LoginStore } from "./LoginStore.ts"

export interface LogOutOptions {
  readonly server: Server
  readonly secret: (name: string) => string | undefined
  /** The user's state folder. */
  readonly state: string
  readonly signal: AbortSignal
}

/** `none` without a login; `kept` if the authorization server did not end the tokens, which then end by themselves. */
export type LoggedOut = "none" | "ended" | "kept"

export const logOut = async ({
  secret,
  server: { reach },
  signal,
  state,
}: LogOutOptions): Promise<LoggedOut> => {
  if (isCommand(reach)) return "none"
  const store = new LoginStore(state)
  const login = currentLogin(store.read(reach))
  await store.remove(reach)
  if (login?.tokens === undefined) return "none"
  const { client, metadata, tokens } = login
  const { revocation_endpoint: endpoint } = metadata as { readonly revocation_endpoint?: string }
  if (endpoint === undefined) return "kept"
  try {
    const { client_id, client_secret } = credentialsOf(client, reach, secret)
    const { ok } = await loginFetch({
      allowsPrivate: await isPrivateHost(new URL(reach.url)),
      signal,
    })(endpoint, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        token: tokens.refresh ?? tokens.access,
        token_type_hint: tokens.refresh === undefined ? "access_token" : "refresh_token",
        client_id,
        ...(client_secret === undefined ? {} : { client_secret }),
      }),
    })
    return ok ? "ended" : "kept"
  } catch {
    return "kept"
  }
}
