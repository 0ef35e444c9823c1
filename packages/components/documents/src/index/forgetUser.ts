/** Erases the passages about a user from an index. */
import type { DocumentFile } from "./DocumentFile.ts"
import { removePassage } from "./passages.ts"

export interface Forgotten {
  readonly passages: number
  /** Files that had them, and still have. */
  readonly files: ReadonlyArray<string>
}

/** The facet that names the user whom a passage is about. */
const USER = "user"

/** Recorded in the index, so that a user is erased from those that no workflow declares any more, too. */
export const recordUserFacet = (index: DocumentFile, facet: string | undefined): void => {
  const known = index.get("SELECT value FROM facts WHERE name = ?", USER)?.["value"]
  if (known === facet) return
  if (facet === undefined) index.run("DELETE FROM facts WHERE name = ?", USER)
  else index.run("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", USER, facet)
}

export const forgetUser = (index: DocumentFile, id: string): Forgotten =>
  index.write(() => {
    const found = index.all(
      `SELECT chunks.rowid AS row, path FROM facts
       JOIN facets ON facets.name = facts.value AND facets.value = ?
       JOIN chunks ON chunks.rowid = facets.chunk
       WHERE facts.name = '${USER}' ORDER BY path`,
      id.trim(),
    )
    for (const { row } of found) removePassage(index, Number(row))
    const files = [...new Set(found.map(({ path }) => String(path)))]
    return { passages: found.length, files }
  })
