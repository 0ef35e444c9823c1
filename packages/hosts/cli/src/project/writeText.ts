/** Writes a command's result to standard output or to the file of `--out`. */
import { mkdir, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import { unwritten, type Refused } from "../Refused.ts"
import { mayWrite } from "../trust/mayWrite.ts"
import { print, say } from "../terminal/Screen.ts"

export const writeText = (text: string, out: string | undefined): Effect.Effect<void, Refused> =>
  out === undefined
    ? Effect.sync(() => print(text))
    : Effect.map(writeFileText(text, out), () => say(`wrote ${out}`))

/** Writes a file and creates its folder. */
export const writeFileText = (text: string, out: string): Effect.Effect<void, Refused> =>
  Effect.andThen(
    mayWrite(out, { typed: true }),
    Effect.tryPromise({
      try: async () => {
        await mkdir(dirname(out), { recursive: true })
        await writeFile(out, text)
      },
      catch: (error) => unwritten(`${out} cannot be written`, error),
    }),
  )
