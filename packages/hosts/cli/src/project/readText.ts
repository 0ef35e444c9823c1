/** Reads a file, or standard input for `-`, with readable refusals. */
import { readFile, stat } from "node:fs/promises"
import { text as readAll } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import { problem, type Refused } from "../Refused.ts"
import { quiet } from "../terminal/activity.ts"

/** The engine's limit for a file. */
const MAX_BYTES = 1024 * 1024

const reasons: { readonly [code: string]: string } = {
  ENOENT: "file not found",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
}

export const readText = (path: string): Effect.Effect<string, Refused> =>
  Effect.tryPromise({
    try: async () => {
      if (path === "-") {
        // A person may type it.
        quiet()
        return await readAll(process.stdin)
      }
      const { size } = await stat(path)
      if (size > MAX_BYTES)
        throw new Error(`it has ${(size / MAX_BYTES).toFixed(1)} MiB; the limit is 1 MiB`)
      return await readFile(path, "utf8")
    },
    catch: (error) => {
      const { code, message } = error as NodeJS.ErrnoException
      return problem(`${path} cannot be read: ${reasons[code ?? ""] ?? code ?? message}`)
    },
  })
