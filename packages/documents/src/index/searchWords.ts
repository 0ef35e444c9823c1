/** Finds the passages that hold the words of a query, each with the words that it has and lacks. */
import type { DocumentFile, Row } from "./DocumentFile.ts"
import { termsOf } from "./termsOf.ts"

/** What a hit rests on. */
export interface Hit extends FoundChunk {
  /** From 0 to 1: the share of the query's words that it has, where a rare word counts more than a frequent one. */
  readonly score: number
  readonly by: "words"
  readonly matched: ReadonlyArray<string>
  readonly missing: ReadonlyArray<string>
}

export interface FoundChunk {
  readonly id: string
  readonly path: string
  readonly headings: ReadonlyArray<string>
  readonly lines: readonly [number, number]
  readonly chars: readonly [number, number]
  /** Of a format with pages. */
  readonly page?: number
  readonly text: string
}

export interface SearchResult {
  /** Best first. */
  readonly hits: ReadonlyArray<Hit>
  /** Words of the query that no passage has. */
  readonly unknown: ReadonlyArray<string>
}

/** Passages by the rank of their words that are compared by what they rest on. */
const CANDIDATES = 100

/** A word in the headings counts for so many in the text. */
const HEADING_WEIGHT = 2

const COLUMNS = `chunks.rowid AS row, chunks.id, chunks.path, chunks.ordinal, chunks.headings, chunks.first_line,
  chunks.last_line, chunks.first_char, chunks.last_char, chunks.page, chunks.lead, chunks.text`

/** Quoted, a word is no operator of the query language. */
const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`

export const searchWords = (index: DocumentFile, query: string, limit: number): SearchResult =>
  index.read(() => {
    const terms = termsOf(query)
    if (terms.length === 0) return { hits: [], unknown: [] }
    const rows = index.all(
      `SELECT ${COLUMNS}, bm25(words, ${HEADING_WEIGHT}, 1) AS nearness
       FROM words JOIN chunks ON chunks.rowid = words.rowid
       WHERE words MATCH ? ORDER BY nearness, path, ordinal LIMIT ${CANDIDATES}`,
      terms.map(quoted).join(" OR "),
    )
    const total = Number(index.get("SELECT count(*) AS n FROM chunks")!["n"])
    const weighed = terms.map((term) => weigh(index, term, rows, total))
    const all = weighed.reduce((sum, { weight }) => sum + weight, 0)
    const hits = rows.map((row): Hit => {
      const has = weighed.filter(({ rowids }) => rowids.has(Number(row["row"])))
      return {
        ...chunkOf(row),
        score: has.reduce((sum, { weight }) => sum + weight, 0) / all,
        by: "words",
        matched: has.map(({ term }) => term),
        missing: weighed.filter((one) => !has.includes(one)).map(({ term }) => term),
      }
    })
    const unknown = weighed.filter(({ count }) => count === 0).map(({ term }) => term)
    // Sorting is stable: passages with the same words stay in the order of their rank.
    return { hits: hits.toSorted((a, b) => b.score - a.score).slice(0, limit), unknown }
  })

/** Whether a hit has more than half of the query's words: otherwise nothing is found. */
export const isFound = ({ matched, missing }: Hit): boolean => matched.length > missing.length

const weigh = (index: DocumentFile, term: string, rows: ReadonlyArray<Row>, total: number) => {
  const count = Number(
    index.get("SELECT count(*) AS n FROM words WHERE words MATCH ?", quoted(term))!["n"],
  )
  const found = index.all(
    "SELECT rowid FROM words WHERE words MATCH ? AND rowid IN (SELECT value FROM json_each(?))",
    quoted(term),
    JSON.stringify(rows.map(({ row }) => row)),
  )
  return {
    term,
    count,
    weight: Math.log(1 + (total - count + 0.5) / (count + 0.5)),
    rowids: new Set(found.map(({ rowid }) => Number(rowid))),
  }
}

/** A row of `chunks`, with the header of its table in front. */
export const chunkOf = (row: Row): FoundChunk => ({
  id: String(row["id"]),
  path: String(row["path"]),
  headings: JSON.parse(String(row["headings"])) as ReadonlyArray<string>,
  lines: [Number(row["first_line"]), Number(row["last_line"])],
  chars: [Number(row["first_char"]), Number(row["last_char"])],
  ...(row["page"] === null ? {} : { page: Number(row["page"]) }),
  text: `${row["lead"] === null ? "" : `${row["lead"]}\n`}${String(row["text"]).trim()}`,
})
