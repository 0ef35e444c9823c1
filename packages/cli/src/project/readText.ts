/** A file's text for a command, or standard input for `-`; what cannot be read is refused in words. */
import { readFile, stat } from "node:fs/promises"
import { text as readAll } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import { problem, type Refused } from "../Refused.ts"

/** As much as the engine reads of a file. */
const MOST = 1024 * 1024

const reasons: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
}

export const readText = (path: string): Effect.Effect<string, Refused> =>
  Effect.tryPromise({
    try: async () => {
      if (path === "-") return await readAll(process.stdin)
      const { size } = await stat(path)
      if (size > MOST)
        throw new Error(`it has ${(size / MOST).toFixed(1)} MiB; at most 1 MiB is read`)
      return await readFile(path, "utf8")
    },
    catch: (error) => {
      const { code, message } = error as NodeJS.ErrnoException
      return problem(`${path} cannot be read: ${reasons[code ?? ""] ?? code ?? message}`)
    },
  })
