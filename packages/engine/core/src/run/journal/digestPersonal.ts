/** Salted digests of personal inputs, which show whether a later value is the one that a run was started with. */
import * as Effect from "effect/Effect"
import type { Json, JsonObject, PersonalDigests } from "@planloom/plugin/effect"
import { canonicalJson } from "@planloom/schema"

const SALT_BYTES = 16
const DIGEST_BYTES = 32

/**
 * 4 MiB of memory and some 10 ms for each guess, in a thread of its own: little for a run, but a fast hash of a phone
 * number would be reversed in a moment by trying all of them.
 */
const COST = { N: 4096, r: 8, p: 1 }

/** Starts each digest: one of another construction or cost is not compared. */
const FORMAT = "scrypt-4096-8-1"

/** Digests with a random salt each, so that equal values of two inputs or runs do not show. */
export const digestPersonal = (
  names: ReadonlyArray<string>,
  given: JsonObject,
): Effect.Effect<PersonalDigests | undefined> =>
  names.length === 0
    ? Effect.undefined
    : Effect.map(
        Effect.forEach(
          names,
          (name) => {
            const salt = Buffer.from(crypto.getRandomValues(new Uint8Array(SALT_BYTES)))
            return Effect.map(digestOf(given[name]!, salt), (digest) => [name, digest] as const)
          },
          { concurrency: "unbounded" },
        ),
        (entries) => Object.fromEntries(entries),
      )

/** False for a digest of an unknown format. */
export const isDigestOf = (digest: string, value: Json): Effect.Effect<boolean> => {
  const [format, salt] = digest.split(":")
  return format !== FORMAT || salt === undefined
    ? Effect.succeed(false)
    : Effect.map(digestOf(value, Buffer.from(salt, "base64url")), (found) => found === digest)
}

const digestOf = (value: Json, salt: Buffer): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const text = canonicalJson(value)
    process
      .getBuiltinModule("node:crypto")
      .scrypt(text, salt, DIGEST_BYTES, COST, (error, key) =>
        resume(
          error === null
            ? Effect.succeed(
                [FORMAT, salt.toString("base64url"), key.toString("base64url")].join(":"),
              )
            : Effect.die(error),
        ),
      )
  })
