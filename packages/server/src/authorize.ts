/** Checks a request's bearer token and host name. */
import * as Effect from "effect/Effect"
import { Problem } from "./Problem.ts"

export interface AccessRules {
  /** Bearer token that every request must send; without it all requests are accepted. */
  readonly token?: string
  /**
   * Accepted host names, without port; default any. A list prevents DNS rebinding: a web page whose own host
   * name points to this machine is rejected.
   */
  readonly hosts?: ReadonlyArray<string>
}

export const authorize = (
  request: Request,
  { hosts, token }: AccessRules,
): Effect.Effect<void, Problem> =>
  Effect.gen(function* () {
    const { hostname } = new URL(request.url)
    if (hosts !== undefined && !hosts.includes(hostname.toLowerCase())) {
      return yield* new Problem({
        code: "unknown_host",
        detail: `the server does not accept the host name "${hostname}"`,
      })
    }
    if (token === undefined) return
    const [, received] = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? []
    if (received !== undefined && (yield* Effect.promise(() => isEqual(received, token)))) return
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
