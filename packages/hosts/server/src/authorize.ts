/** Checks a request's host name, and finds out who sends it: by its bearer token or API key, or by the host's `authenticate`. */
import * as Effect from "effect/Effect"
import { callerOf, isEqual, type ApiKeys } from "./ApiKey.ts"
import { authenticated, operator, type Authenticate, type Caller } from "./Caller.ts"
import { Problem } from "./Problem.ts"

export interface AccessRules {
  /** Bearer token of operators. Without it, `keys` and `authenticate` all requests are accepted. */
  readonly token?: string
  /** API keys with scopes, which operators send as a bearer token; not used with `authenticate`. */
  readonly keys?: ApiKeys
  /**
   * Finds the user of a request that does not send the token. A user reaches only the runs and sessions of the same `id`,
   * and starts workflows that declare `user:`.
   */
  readonly authenticate?: Authenticate
  /**
   * Accepted host names, without port; default any. A list prevents DNS rebinding: a web page whose own host
   * name points to this machine is rejected.
   */
  readonly hosts?: ReadonlyArray<string>
  /** Receives unexpected errors, such as of a file of keys that cannot be read. The client gets no details. */
  readonly onDefect?: (error: unknown) => void
}

export const authorize = (
  request: Request,
  { authenticate, hosts, keys, onDefect, token }: AccessRules,
): Effect.Effect<Caller, Problem> =>
  Effect.gen(function* () {
    const { hostname } = new URL(request.url)
    if (hosts !== undefined && !hosts.includes(hostname.toLowerCase())) {
      return yield* new Problem({
        code: "unknown_host",
        detail: `the server does not accept the host name "${hostname}"`,
      })
    }
    const [, received] = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? []
    if (token !== undefined && received !== undefined) {
      if (yield* Effect.promise(() => isEqual(received, token))) {
        return { client: "token", actor: "token" }
      }
    }
    if (authenticate !== undefined) return yield* authenticated(request, authenticate)
    if (keys !== undefined && received !== undefined) {
      const caller = yield* callerOf(received, keys, onDefect)
      if (caller !== undefined) return caller
    }
    const isOpen =
      token === undefined &&
      (keys === undefined || !(yield* Effect.promise(async () => keys.isRequired())))
    if (isOpen) return operator
    return yield* new Problem({
      code: "unauthorized",
      detail:
        received === undefined
          ? "send the token or an API key as Authorization: Bearer …"
          : "the token or key is not valid",
      headers: { "www-authenticate": "Bearer" },
    })
  })

/**
 * Rejects requests of web pages of other hosts: a page must not use what runs on the machine of its reader. Programs send
 * no `Origin`.
 */
export const requireSameOrigin = (
  request: Request,
  hosts: ReadonlyArray<string> = [],
): Effect.Effect<void, Problem> => {
  const origin = request.headers.get("origin")
  if (origin === null) return Effect.void
  const hostname = URL.canParse(origin) ? new URL(origin).hostname : undefined
  const own = new URL(request.url).hostname
  return hostname !== undefined && (hostname === own || hosts.includes(hostname))
    ? Effect.void
    : Effect.fail(
        new Problem({
          code: "unknown_origin",
          detail: `the server does not accept requests of web pages of "${origin}"`,
        }),
      )
}
