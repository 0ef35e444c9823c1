/** Checks a request's host name, and finds out who sends it: by its bearer token, or by the host's `authenticate`. */
import * as Effect from "effect/Effect"
import { authenticated, operator, type Authenticate, type Caller } from "./Caller.ts"
import { Problem } from "./Problem.ts"

export interface AccessRules {
  /** Bearer token of operators. Without it and without `authenticate` all requests are accepted. */
  readonly token?: string
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
}

export const authorize = (
  request: Request,
  { authenticate, hosts, token }: AccessRules,
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
      if (yield* Effect.promise(() => isEqual(received, token))) return operator
    }
    if (authenticate !== undefined) return yield* authenticated(request, authenticate)
    if (token === undefined) return operator
    return yield* new Problem({
      code: "unauthorized",
      detail:
        received === undefined
          ? "send the token as Authorization: Bearer …"
          : "the token is not valid",
      headers: { "www-authenticate": "Bearer" },
    })
  })

/** Compares in constant time: hashes have one length and every byte is compared. */
const isEqual = async (a: string, b: string): Promise<boolean> => {
  const [first, second] = await Promise.all([hashOf(a), hashOf(b)])
  let different = 0
  for (const [index, byte] of first.entries()) different |= byte ^ second[index]!
  return different === 0
}

const hashOf = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
