/** The file of API keys, readable by its owner alone: names, scopes and hashes, never a key. */
import { existsSync } from "node:fs"
import { mkdir, readFile, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { withFileLock } from "@planloom/plugin/lock"
import type { ApiKey } from "@planloom/server"
import * as Effect from "effect/Effect"
import { writeInOneStep } from "../author/writeInOneStep.ts"
import { problem, type Refused } from "../Refused.ts"

/** In the folder in which `planloom serve` is started, beside the default store. */
export const KEY_FILE = join(".planloom", "keys.json")

const FORMAT = "planloom/keys/v1"

/** A server that has a key file rejects requests without a key, also after the last key was revoked. */
export const hasKeyFile = (): boolean => existsSync(KEY_FILE)

/** The stored keys; none without a file. */
export const readKeys = async (): Promise<ReadonlyArray<ApiKey>> => {
  const text = await readFile(KEY_FILE, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw error
  })
  if (text === undefined) return []
  const { format, keys } = JSON.parse(text) as {
    readonly format?: unknown
    readonly keys?: unknown
  }
  if (format !== FORMAT || !Array.isArray(keys))
    throw new Error(`it is not of the format ${FORMAT}`)
  return keys as ReadonlyArray<ApiKey>
}

const writeKeys = async (keys: ReadonlyArray<ApiKey>): Promise<void> => {
  const text = `${JSON.stringify({ format: FORMAT, keys }, null, 2)}\n`
  await writeInOneStep(KEY_FILE, text, (draft) => draft.chmod(0o600))
}

/** Refuses with the reason if the file cannot be read or written. */
export const withKeys = <A>(use: () => Promise<A>): Effect.Effect<A, Refused> =>
  Effect.tryPromise({
    try: use,
    catch: (error) =>
      problem(
        `${KEY_FILE} cannot be used: ${(error as Error).message}`,
        "look at the file and its permissions",
      ),
  })

/** Others that change the keys at the same time wait. */
export const changeKeys = (
  change: (keys: ReadonlyArray<ApiKey>) => ReadonlyArray<ApiKey>,
): Effect.Effect<void, Refused> =>
  withKeys(async () => {
    await mkdir(dirname(KEY_FILE), { recursive: true, mode: 0o700 })
    await withFileLock(`${KEY_FILE}.lock`, async () => writeKeys(change(await readKeys())))
  })

let known: { readonly version: string; readonly keys: ReadonlyMap<string, ApiKey> } | undefined

/** Finds a key by its id, in the current file. */
export const findKey = async (id: string): Promise<ApiKey | undefined> => {
  const found = await stat(KEY_FILE, { bigint: true }).catch(() => undefined)
  if (found === undefined) return undefined
  // A changed file is a new one: it has another inode.
  const version = `${found.ino}:${found.mtimeNs}`
  if (known?.version !== version) {
    known = { version, keys: new Map((await readKeys()).map((key) => [key.id, key])) }
  }
  return known.keys.get(id)
}
