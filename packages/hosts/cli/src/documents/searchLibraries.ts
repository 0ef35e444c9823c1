/** Implements `planloom documents search`: prints passages as the tool `search_documents` gives them. */
import { queryVector, searchSets, type SyncedSet } from "@planloom/documents/manage"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { usage } from "../Refused.ts"
import { doing } from "../terminal/activity.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { openEmbedders, type OpenEmbedder } from "./openEmbedder.ts"
import { passageText, placeText, type Place } from "./placeText.ts"
import { attempt, NO_LIBRARIES, withLibraries } from "./withLibraries.ts"

export interface SearchFlags {
  readonly query: string
  readonly library: string | undefined
  readonly limit: number
  readonly from: string | undefined
  readonly json: boolean
}

interface Found {
  readonly text: string
  readonly passages: ReadonlyArray<Passage>
  readonly unreadable: ReadonlyArray<unknown>
  readonly cut: ReadonlyArray<unknown>
  readonly complete: boolean
}

interface Passage extends Place {
  readonly library: string
  readonly id: string
  readonly text: string
  readonly score: number
  readonly missing: ReadonlyArray<string>
}

export const searchLibraries: Handler<SearchFlags> = ({ from, json, library, limit, query }) =>
  Effect.gen(function* () {
    if (limit < 1) return yield* usage("--limit must be at least 1")
    if (query.trim() === "") return yield* usage("the query is empty")
    return yield* withLibraries(from, library === undefined ? [] : [library], (sets, libraries) =>
      Effect.gen(function* () {
        if (sets.length === 0 && !json) {
          say(stderr.style.dim(NO_LIBRARIES))
          return "ok" as ExitName
        }
        doing("looking for changes of the documents, then searching")
        const embedders = yield* openEmbedders(sets)
        const found = yield* attempt((signal) =>
          libraries.synced(sets, { signal, embedders }, async (synced) => {
            const searched = synced.map(async (one, at) => ({
              ...(await queryVector(one, embedders[at], [query], signal)),
              // A person who can read the files is not bound to what a workflow shows its users.
              bounds: {},
            }))
            return searchSets(
              (await Promise.all(searched)).map((one, at) => withReason(one, embedders[at])),
              { query, limit },
            )
          }),
        )
        if (json) print(JSON.stringify(found, null, 2))
        else printFound(found as unknown as Found, sets.length > 1)
        return "ok" as ExitName
      }),
    )
  })

/** Says why an embedder gave no vectors. */
const withReason = <One extends Pick<SyncedSet, "embedding">>(
  one: One,
  embedder: OpenEmbedder | undefined,
): One => {
  const reason = embedder?.problem()
  return one.embedding === undefined || reason === undefined
    ? one
    : { ...one, embedding: { ...one.embedding, problem: reason } }
}

const printFound = ({ complete, cut, passages, text, unreadable }: Found, named: boolean): void => {
  for (const passage of passages) print(passageLines(passage, named))
  say(oneLine(text))
  if (!complete) {
    const parts = [
      ...(unreadable.length === 0 ? [] : [`${unreadable.length} cannot be read`]),
      ...(cut.length === 0 ? [] : [`${cut.length} are read in part`]),
    ]
    say(
      stderr.style.warn(
        `not all files were searched${parts.length === 0 ? "" : `: ${parts.join(", ")}`}; planloom documents status names them`,
      ),
    )
  }
}

const passageLines = (passage: Passage, named: boolean): string => {
  const { style } = stdout
  const { id, library, missing, score, text } = passage
  const lacks = missing.length === 0 ? "" : `, without ${missing.join(", ")}`
  const basis = style.dim(oneLine(`${score.toFixed(2)}${lacks} ${id}`))
  const from = named ? `${style.dim(library)} ` : ""
  return `${from}${placeText(passage, style)}  ${basis}\n${passageText(text, textWidth(stdout))}\n`
}
