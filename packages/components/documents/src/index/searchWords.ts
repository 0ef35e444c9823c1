/** Finds the passages that hold the words of a query, each with the words that it has and lacks. */
import type { DocumentFile, Row } from "./DocumentFile.ts"
import { chunkOf, type FoundChunk, type Hit } from "./Hit.ts"
import { hitsOf, type Asked, type WordTable } from "./hitsOf.ts"
import type { ReadWord } from "./readSpelling.ts"
import { conditionOf, type Condition, type Scope } from "./Scope.ts"
import { termsOf, termsOfAll } from "./termsOf.ts"
import { countOf, quoted, readIn, weighTerms, type Term, type Wordings } from "./weighTerms.ts"

export interface SearchOptions extends Scope, Wordings {
  /** Most hits. */
  readonly limit: number
  /** Leaves out hits with a lower score. */
  readonly threshold?: number
  /** `faceted` searches the columns of rows one by one, and the best counts; `master`, the default, searches whole passages. */
  readonly mode?: "faceted" | "master"
  /** Words that other libraries have: they are not read as others. */
  readonly known?: ReadonlySet<string>
}

export interface SearchResult {
  /** Best first, by BM25, which counts words more that a passage repeats: a score may be higher than the one before. */
  readonly hits: ReadonlyArray<Hit>
  /** Words of the query that no passage of the scope has. */
  readonly unknown: ReadonlyArray<string>
  /** Words of the query that were read as others, because no passage has them. */
  readonly read: ReadonlyArray<ReadWord>
}

/** Passages by the rank of their words that are compared by what they rest on. */
const CANDIDATES = 100

/** Share of the passages above which a word is frequent, where there are many passages. */
const FREQUENT = 0.3
const MANY = 2000

/** A word in the headings counts for so many in the text. */
const HEADING_WEIGHT = 2

const COLUMNS = `chunks.rowid AS chunk, chunks.id, chunks.path, chunks.ordinal, chunks.headings, chunks.first_line,
  chunks.last_line, chunks.first_char, chunks.last_char, chunks.page, chunks.lead, chunks.text`

export const searchWords = (
  index: DocumentFile,
  query: string,
  { limit, threshold = 0, ...options }: SearchOptions,
): SearchResult =>
  index.read(() => {
    const { asked, rows, table, ...words } = rankWords(index, query, options)
    const hits = firstHits(rows, { limit, threshold }, (some) => hitsOf(index, table, asked, some))
    return { ...words, hits }
  })

/** Passages by the rank of their words, best first. */
export interface RankedWords extends Omit<SearchResult, "hits"> {
  readonly asked: Asked
  /** The table whose rows they are: that of passages, or that of columns. */
  readonly table: WordTable
  /** Of `chunks`: `chunk` is the rowid there, `row` that of the table. */
  readonly rows: ReadonlyArray<Row>
}

export const rankWords = (
  index: DocumentFile,
  query: string,
  { known, mode = "master", wordings = [], ...scope }: Omit<SearchOptions, "limit" | "threshold">,
): RankedWords => {
  const condition = conditionOf(scope)
  const total = countOf(index, "chunks", "", condition)
  const terms = weighTerms(index, termsOfAll([query, ...wordings]), scope, total, known)
  const own = termsOf(query)
  const others = wordings.map((text) => ({ text, words: termsOf(text) }))
  const asked: Asked = { terms, wordings: [{ words: own }, ...others] }
  const unknown = terms
    .filter(({ count, term }) => count === 0 && own.includes(term))
    .map(({ term }) => term)
  const found = { asked, unknown, read: readIn(terms) }
  if (terms.length === 0) return { ...found, table: "words", rows: [] }
  const byColumn = mode === "faceted" && index.get("SELECT 1 FROM columns LIMIT 1") !== undefined
  return byColumn
    ? { ...found, table: "column_words", rows: columnRows(index, asked, condition) }
    : { ...found, table: "words", rows: passageRows(index, terms, condition, total) }
}

/** The first hits with a score. What a hit rests on takes most of a search, so it is looked up for as many as are shown. */
export const firstHits = <Ranked>(
  ranked: ReadonlyArray<Ranked>,
  { limit, threshold }: { readonly limit: number; readonly threshold: number },
  lookUp: (some: ReadonlyArray<Ranked>) => ReadonlyArray<Hit>,
): ReadonlyArray<Hit> => {
  const hits: Array<Hit> = []
  for (let at = 0; at < ranked.length && hits.length < limit; at += limit)
    hits.push(...lookUp(ranked.slice(at, at + limit)).filter(({ score }) => score >= threshold))
  return hits.slice(0, limit)
}

/** Rows of `chunks` by their rowids, in any order. */
export const rowsOf = (index: DocumentFile, chunks: ReadonlyArray<number>): ReadonlyArray<Row> =>
  index.all(
    `SELECT ${COLUMNS}, chunks.rowid AS row FROM chunks WHERE rowid IN (SELECT value FROM json_each(?))`,
    JSON.stringify(chunks),
  )

// The texts are read of the candidates only. Twice as many are ranked, so that the order of equal ones is not that of rowids.
const passageRows = (
  index: DocumentFile,
  terms: ReadonlyArray<Term>,
  scope: Condition,
  total: number,
): ReadonlyArray<Row> =>
  index.all(
    `SELECT ${COLUMNS}, found AS row, nearness FROM (
       SELECT rowid AS found, bm25(words, ${HEADING_WEIGHT}, 1) AS nearness FROM words
       WHERE words MATCH ?${scope.of("words.rowid")} ORDER BY nearness LIMIT ${2 * CANDIDATES}
     ) JOIN chunks ON chunks.rowid = found ORDER BY nearness, path, ordinal LIMIT ${CANDIDATES}`,
    anyOf(rareOf(terms, total)),
    ...scope.values,
  )

/** The words by which passages are ranked: frequent ones take long and hardly change the order, so they count only where there are no others. */
const rareOf = (terms: ReadonlyArray<Term>, total: number): ReadonlyArray<Term> => {
  if (total < MANY) return terms
  const rare = terms.filter(({ count }) => count > 0 && count <= FREQUENT * total)
  return rare.length === 0 ? terms : rare
}

/** The best column of each passage: a row's columns are too short for a word to be repeated, so what counts is how many they have. */
const columnRows = (index: DocumentFile, asked: Asked, scope: Condition): ReadonlyArray<Row> => {
  const rows = index.all(
    `SELECT ${COLUMNS}, columns.rowid AS row, columns.name AS column_name, bm25(column_words) AS nearness
     FROM column_words JOIN columns ON columns.rowid = column_words.rowid
       JOIN chunks ON chunks.rowid = columns.chunk
     WHERE column_words MATCH ?${scope.of("columns.chunk")} ORDER BY nearness, path, ordinal LIMIT ${CANDIDATES}`,
    anyOf(asked.terms),
    ...scope.values,
  )
  const best = new Map<Row[string], { readonly row: Row; readonly score: number }>()
  for (const [at, { score }] of hitsOf(index, "column_words", asked, rows).entries()) {
    const row = rows[at]!
    if (score > (best.get(row["chunk"]!)?.score ?? -1)) best.set(row["chunk"]!, { row, score })
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score).map(({ row }) => row)
}

const anyOf = (terms: ReadonlyArray<Term>): string =>
  terms.map(({ searched }) => quoted(searched)).join(" OR ")

/** The passage with an id, or all passages of a file, in reading order, as far as they are in the scope. */
export const showPassages = (
  index: DocumentFile,
  idOrPath: string,
  scope: Scope,
): ReadonlyArray<FoundChunk> => {
  const condition = conditionOf(scope)
  const sql = `SELECT * FROM chunks WHERE (id = ? OR path = ?)${condition.of("chunks.rowid")} ORDER BY path, ordinal`
  return index.all(sql, idOrPath, idOrPath, ...condition.values).map(chunkOf)
}
