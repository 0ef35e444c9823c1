/** The words of a query as they are searched: how many passages have each, what it weighs, and the word that it is read as. */
import type { DocumentFile } from "./DocumentFile.ts"
import { readSpelling, type ReadWord } from "./readSpelling.ts"
import { conditionOf, type Condition, type Scope } from "./Scope.ts"
import { termsOfAll } from "./termsOf.ts"

/** Quoted, a word is no operator of the query language. */
export const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`

export interface Wordings {
  /** Other wordings of the query: passages are ranked by the words of all, and found by those of one. */
  readonly wordings?: ReadonlyArray<string> | undefined
}

export interface Term {
  /** As the query has it. */
  readonly term: string
  /** The word of passages that it is read as. */
  readonly searched: string
  readonly weight: number
  /** Passages of the scope that have it. */
  readonly count: number
  /** Each passage has it, such as the name of their file or of a column: it is no evidence for one of them. */
  readonly isEverywhere?: true
  /** Counted in the values of rows: it is the name of a column, too, so that all rows have it in their text. */
  readonly isOfValues?: true
}

export const readIn = (terms: ReadonlyArray<Term>): ReadonlyArray<ReadWord> =>
  terms.flatMap(({ searched, term }) => (searched === term ? [] : [{ word: term, as: searched }]))

/** Most words of a query that are read as others: each looks through the words of the index. */
const MAX_READ = 8

/** In fewer passages a word of all of them may be what is asked for. */
const SOME_PASSAGES = 10

/** Words that are searched, by `termsOfAll`. Those that no passage has, also outside of the search's own filter, may be read as others. */
export const weighTerms = (
  index: DocumentFile,
  words: ReadonlyArray<string>,
  scope: Scope,
  total: number,
  known: ReadonlySet<string> = new Set(),
): ReadonlyArray<Term> => {
  const condition = conditionOf(scope)
  const counted = words.map((term) => ({
    term,
    count: countOf(index, "words", quoted(term), condition),
  }))
  const taken = new Set(counted.map(({ term }) => term))
  let left = MAX_READ
  return counted.map(({ count, term }) => {
    const isKnown = count > 0 || left === 0 || known.has(term) || holdsWord(index, term, scope)
    if (!isKnown) left--
    const searched = isKnown ? term : (spelled(index, term, condition, taken) ?? term)
    taken.add(searched)
    const passages =
      searched === term ? count : countOf(index, "words", quoted(searched), condition)
    const weighed = { term, searched, count: passages, weight: weightOf(passages, total) }
    return passages < total || total < SOME_PASSAGES
      ? weighed
      : { ...weighed, ...ofValues(index, searched, total, condition) }
  })
}

/** A word that no passage has weighs as one that is in a single passage. */
const weightOf = (count: number, total: number): number => {
  const least = Math.max(count, 1)
  return Math.log(1 + (total - least + 0.5) / (least + 0.5))
}

/** A word of all passages is searched in the values of rows where some of them have it there. */
const ofValues = (
  index: DocumentFile,
  word: string,
  total: number,
  scope: Condition,
): Partial<Term> => {
  const sql = `SELECT count(DISTINCT columns.chunk) AS n FROM column_words JOIN columns ON columns.rowid = column_words.rowid
    WHERE column_words MATCH ?${scope.of("columns.chunk")}`
  const count = Number(index.get(sql, quoted(word), ...scope.values)!["n"])
  return count === 0 || count === total
    ? { isEverywhere: true }
    : { count, weight: weightOf(count, total), isOfValues: true }
}

/** The word as which it is read, unless the query has that word, too. */
const spelled = (
  index: DocumentFile,
  term: string,
  scope: Condition,
  taken: ReadonlySet<string>,
): string | undefined => {
  const as = readSpelling(index, term, (words) =>
    countOf(index, "words", words.map(quoted).join(" AND "), scope),
  )
  return as === undefined || taken.has(as) ? undefined : as
}

/** Whether a passage that may be found has the word, whatever the search's own filter is. */
const holdsWord = (index: DocumentFile, term: string, { where = [] }: Scope): boolean =>
  countOf(index, "words", quoted(term), conditionOf({ where })) > 0

/** Words of a query and its wordings that passages have which may be found. */
export const wordsHeld = (
  index: DocumentFile,
  query: string,
  { wordings = [], ...scope }: Wordings & Scope,
): ReadonlyArray<string> =>
  termsOfAll([query, ...wordings]).filter((term) => holdsWord(index, term, scope))

/** Passages of the scope, or those that match. */
export const countOf = (
  index: DocumentFile,
  table: string,
  match: string,
  scope: Condition,
): number => {
  const [has, values] = match === "" ? ["1", []] : [`${table} MATCH ?`, [match]]
  const sql = `SELECT count(*) AS n FROM ${table} WHERE ${has}${scope.of(`${table}.rowid`)}`
  return Number(index.get(sql, ...values, ...scope.values)!["n"])
}
