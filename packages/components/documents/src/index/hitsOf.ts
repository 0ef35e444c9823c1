/** Looks up which words of a query passages have, and which they lack. */
import type { DocumentFile, Row } from "./DocumentFile.ts"
import { chunkOf, hasEnough, type Hit } from "./Hit.ts"
import { quoted, readIn, type Term } from "./weighTerms.ts"

export type WordTable = "words" | "column_words"

/** The words that are searched, and those of them that the query has, and each of its other wordings. */
export interface Asked {
  readonly terms: ReadonlyArray<Term>
  readonly wordings: ReadonlyArray<{
    /** Of another wording than the query. */
    readonly text?: string
    readonly words: ReadonlyArray<string>
  }>
}

/** Hits in the order of their rows, with the words that they have and lack. */
export const hitsOf = (
  index: DocumentFile,
  table: WordTable,
  { terms, wordings }: Asked,
  rows: ReadonlyArray<Row>,
): ReadonlyArray<Hit> => {
  if (rows.length === 0) return []
  const rowids = JSON.stringify(rows.map(({ row }) => row))
  const sql = `SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND rowid IN (SELECT value FROM json_each(?))`
  const ofValues = `SELECT columns.chunk AS rowid FROM column_words JOIN columns ON columns.rowid = column_words.rowid
    WHERE column_words MATCH ? AND columns.chunk IN (SELECT value FROM json_each(?))`
  const found = new Map(
    terms.map((one) => {
      const having = table === "words" && one.isOfValues === true ? ofValues : sql
      const has = index.all(having, quoted(one.searched), rowids)
      return [one.term, { ...one, rowids: new Set(has.map(({ rowid }) => rowid)) }]
    }),
  )
  const [query, ...others] = wordings.map(({ text, words }) => ({
    text,
    terms: distinguishing(words.map((word) => found.get(word)!)),
  }))
  // A text without a word is no evidence. Passages of such a query are near by their meaning.
  const worded = [query!, ...others].filter((one) => one.terms.length > 0)
  const asked = worded.length === 0 ? [query!] : worded
  return rows.map((row): Hit => {
    const { column_name: column } = row
    const evidence = asked.map(({ terms: all, text }): Evidence => {
      const has = all.filter((one) => one.rowids.has(row["row"]!))
      return {
        score: all.length === 0 ? 0 : sumOf(has) / sumOf(all),
        by: "words",
        matched: has.map(({ term }) => term),
        read: readIn(has),
        missing: all.filter((one) => !has.includes(one)).map(({ term }) => term),
        ...(text !== undefined && { wording: text }),
      }
    })
    return {
      ...chunkOf(row),
      ...(column === undefined ? {} : { column: String(column) }),
      ...evidence.reduce((best, one) => (isStronger(one, best) ? one : best)),
    }
  })
}

/** Those that some passages lack, unless all passages have all of them. */
const distinguishing = <One extends Term>(terms: ReadonlyArray<One>): ReadonlyArray<One> => {
  const some = terms.filter(({ isEverywhere }) => isEverywhere !== true)
  return some.length === 0 ? terms : some
}

type Evidence = Pick<Hit, "score" | "by" | "matched" | "read" | "missing" | "wording">

const sumOf = (terms: ReadonlyArray<Term>): number =>
  terms.reduce((sum, { weight }) => sum + weight, 0)

/** Whether it counts as found where the other does not, whatever the threshold, or has the higher score. */
const isStronger = (one: Evidence, other: Evidence): boolean =>
  hasEnough(one) === hasEnough(other) ? one.score > other.score : hasEnough(one)
