/** Reads what a flag names: a file, standard input, JSON. No message shows the content, which may be personal. */
import { readFile } from "node:fs/promises"
import { buffer } from "node:stream/consumers"
import type { Json } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { usage, type Refused } from "../Refused.ts"
import { quiet } from "../terminal/activity.ts"

/** Reads a file, or standard input for `-`, and rejects invalid UTF-8, which would lose characters. */
export const givenText = (path: string, flag: string): Effect.Effect<string, Refused> =>
  Effect.tryPromise({
    try: async () => {
      // A person may type it.
      if (path === "-") quiet()
      return utf8.decode(await (path === "-" ? buffer(process.stdin) : readFile(path)))
    },
    catch: (error) => {
      const { code } = error as NodeJS.ErrnoException
      const why =
        code === "ENOENT"
          ? "file not found"
          : code === "EISDIR"
            ? "it is a folder"
            : code === "ERR_ENCODING_INVALID_ENCODED_DATA"
              ? "it is not UTF-8 text"
              : String(code)
      return usage(`${flag}: ${path} cannot be read: ${why}`)
    },
  })

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Parses JSON; `source` is the file, and a text that is not JSON is refused with the place at which it stops being some. */
export const givenJson = (
  text: string,
  source: string,
  help?: string,
): Effect.Effect<Json, Refused> =>
  Effect.catch(Effect.try({ try: () => JSON.parse(text) as Json, catch: () => undefined }), () =>
    Effect.flatMap(
      Effect.promise(() => import("../project/jsonFault.ts")),
      ({ jsonFault }) => usage(`${source}:${jsonFault(text)} is not JSON`, help),
    ),
  )
