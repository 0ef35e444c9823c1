/** The passages of files that fit a text best: what a model reads in place of whole files. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { FileCall } from "../FileCall.ts"
import type { Entry } from "./EntryReader.ts"
import { LEAST_SCORE } from "./Library.ts"
import { passagesOf, type Passage } from "./passagesOf.ts"

/** Passages of one search. */
const MAX_PASSAGES = 5

/** Kinds whose lines are those of the file; the words of a PDF or an office document are not in lines. */
const lined = new Set(["text", "markdown", "data"])

const placed = ({ path, type }: Entry, { heading, line, text }: Passage): JsonObject => ({
  path,
  ...(lined.has(type) ? { line } : {}),
  ...(heading === "" ? {} : { heading }),
  text,
})

/** Best first; passages that share no word with the text are left out. */
export const nearestPassages = async (
  files: ReadonlyArray<Entry>,
  query: string,
  { index, run }: FileCall,
): Promise<ReadonlyArray<JsonObject>> => {
  const all = files.flatMap((entry) =>
    passagesOf(entry.text).map((passage) => ({ entry, passage })),
  )
  if (all.length === 0) return []
  const built = await run(
    index(
      all.map(({ passage: { heading, text } }, at) => ({
        id: String(at),
        fields: { name: heading, text },
      })),
    ),
  )
  const hits = await run(built.search(query, { limit: MAX_PASSAGES, least: LEAST_SCORE }))
  return hits.flatMap(({ id }) => {
    const found = all[Number(id)]
    return found === undefined ? [] : [placed(found.entry, found.passage)]
  })
}
