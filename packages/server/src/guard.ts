/** Who may ask: whoever has the token, and only what was meant for this server. */
import * as Effect from "effect/Effect"
import { Problem } from "./Problem.ts"

export interface Guard {
  /** Everybody may ask without one. */
  readonly token?: string
  /**
   * Names the server goes by, without port. A page of another site may have its own name point to this
   * machine (DNS rebinding): what it asks is refused. Any name unless given.
   */
  readonly hosts?: ReadonlyArray<string>
}

export const guarded = (request: Request, { hosts, token }: Guard): Effect.Effect<void, Problem> =>
  Effect.gen(function* () {
    const { hostname } = new URL(request.url)
    if (hosts !== undefined && !hosts.includes(hostname.toLowerCase())) {
      return yield* new Problem({
        code: "other_host",
        detail: `this server does not go by the name "${hostname}"`,
      })
    }
    if (token === undefined) return
    const [, given] = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? []
    if (given !== undefined && (yield* Effect.promise(() => same(given, token)))) return
    return yield* new Problem({
      code: "unauthorized",
      detail: given === undefined ? "send the token as a bearer token" : "the token is wrong",
      headers: { "www-authenticate": "Bearer" },
    })
  })

/** Takes as long whatever is given: hashes have one length and are compared to their end. */
const same = async (a: string, b: string): Promise<boolean> => {
  const [first, second] = await Promise.all([hashOf(a), hashOf(b)])
  let different = 0
  for (const [index, byte] of first.entries()) different |= byte ^ second[index]!
  return different === 0
}

const hashOf = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
