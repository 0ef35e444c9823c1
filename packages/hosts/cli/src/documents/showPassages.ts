/** Implements `planloom documents show`: prints the passages of a file, or one by its id. */
import { existsSync } from "node:fs"
import type { FoundChunk } from "@planloom/documents/manage"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { problem } from "../Refused.ts"
import { print, stdout, textWidth } from "../terminal/Screen.ts"
import { passageText, placeText } from "./placeText.ts"
import { attempt, withLibraries } from "./withLibraries.ts"

export interface ShowFlags {
  readonly what: string
  readonly library: string | undefined
  readonly from: string | undefined
  readonly json: boolean
}

export const showPassages: Handler<ShowFlags> = ({ from, json, library, what }) =>
  withLibraries(from, library === undefined ? [] : [library], (sets, libraries) =>
    Effect.gen(function* () {
      const synced = sets.filter(({ index }) => existsSync(index))
      const shown = yield* attempt(() =>
        synced.flatMap((set) =>
          libraries
            .open(set)
            .show(what)
            .map((passage) => ({ library: set.name, ...passage })),
        ),
      )
      if (shown.length === 0) {
        return yield* problem(
          `no passage of a library has the file or id "${what}"`,
          "files are named as planloom documents search prints them; planloom documents sync reads new ones",
        )
      }
      if (json) print(JSON.stringify(shown, null, 2))
      else for (const passage of shown) print(passageLines(passage))
      return "ok" as ExitName
    }),
  )

const passageLines = ({ headings, id, lines, page, path, text }: FoundChunk): string => {
  const { style } = stdout
  const place = placeText(
    {
      path,
      heading: headings.join(" › "),
      ...(lines !== undefined && { first_line: lines[0], last_line: lines[1] }),
      ...(page !== undefined && { page }),
    },
    style,
  )
  return `${place}  ${style.dim(id)}\n${passageText(text, textWidth(stdout))}\n`
}
