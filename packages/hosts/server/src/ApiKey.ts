/** API keys: their scopes, how one is made, and how a presented key is compared with the stored hashes. */
import * as Effect from "effect/Effect"
import type { Caller } from "./Caller.ts"
import { Problem } from "./Problem.ts"
import type { Scope } from "./Scope.ts"
import { hexOf, sha256 } from "./sha256.ts"

/** The stored form of a key, without its secret part. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  /** Names of the workflows that it is limited to; all unless given. */
  readonly workflows?: ReadonlyArray<string>
  /** SHA-256 of the whole key, in hexadecimal. A key has 256 random bits, so that a slow hash would add nothing. */
  readonly hash: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt?: number
}

/** Where the keys of a server are stored. Read for each request that sends a key, so that a revoked key is refused at once. */
export interface ApiKeys {
  readonly find: (id: string) => ApiKey | undefined | Promise<ApiKey | undefined>
  /** Whether requests without a key or the token are rejected. */
  readonly isRequired: () => boolean | Promise<boolean>
}

const ID_BYTES = 6
const SECRET_BYTES = 32

const keyPattern = /^plk_([\da-f]{12})_[\w-]{43}$/

/** Makes a key. The text is given to the client once; only `stored` is kept. */
export const newApiKey = async (
  given: Pick<ApiKey, "createdAt" | "expiresAt" | "name" | "scopes" | "workflows">,
): Promise<{ readonly key: string; readonly stored: ApiKey }> => {
  const id = hexOf(crypto.getRandomValues(new Uint8Array(ID_BYTES)))
  const key = `plk_${id}_${base64url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`
  return { key, stored: { id, ...given, hash: await sha256(key) } }
}

/** The caller that sends this key; undefined unless it is stored and has not expired. */
export const callerOf = (
  key: string,
  keys: ApiKeys,
  onDefect: ((error: unknown) => void) | undefined,
): Effect.Effect<Caller | undefined, Problem> =>
  Effect.gen(function* () {
    const [, id] = keyPattern.exec(key) ?? []
    if (id === undefined) return undefined
    const stored = yield* Effect.tryPromise({
      try: async () => keys.find(id),
      catch: (error) => {
        onDefect?.(error)
        return new Problem({ code: "unavailable", detail: "the API keys cannot be read" })
      },
    })
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    if (stored === undefined || (stored.expiresAt ?? Infinity) <= now) return undefined
    const hash = yield* Effect.promise(() => sha256(key))
    return equalTexts(hash, stored.hash)
      ? {
          scopes: new Set(stored.scopes),
          ...(stored.workflows && { workflows: new Set(stored.workflows) }),
          client: `key:${id}`,
          actor: `key:${stored.name}`,
        }
      : undefined
  })

/** Fails unless the caller may do this. Users and the holder of the token have every scope. */
export const requireScope = ({ scopes: own }: Caller, scope: Scope): Effect.Effect<void, Problem> =>
  own === undefined || own.has(scope) || own.has("admin")
    ? Effect.void
    : Effect.fail(
        new Problem({
          code: "forbidden",
          detail: `the key does not have the scope ${scope}`,
          more: { scope, scopes: [...own] },
        }),
      )

/** Compares in constant time: hashes have one length and every byte is compared. */
export const isEqual = async (a: string, b: string): Promise<boolean> => {
  const [first, second] = await Promise.all([sha256(a), sha256(b)])
  return equalTexts(first, second)
}

const equalTexts = (a: string, b: string): boolean => {
  let different = a.length ^ b.length
  for (let index = 0; index < a.length; index++) {
    different |= a.charCodeAt(index) ^ b.charCodeAt(index)
  }
  return different === 0
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
