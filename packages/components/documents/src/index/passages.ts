/** Adds the passages of a file to an index, and removes them: their texts, words, facets and columns. */
import { hash } from "node:crypto"
import { estimateTokens } from "@planloom/plugin/facts"
import type { Passage } from "../sources/Source.ts"
import type { DocumentFile } from "./DocumentFile.ts"
import { freeVector } from "../vectors/freeVector.ts"
import { foldValue } from "./Scope.ts"

export const removePassages = (index: DocumentFile, path: string): void => {
  for (const { rowid } of index.all("SELECT rowid FROM chunks WHERE path = ?", path))
    removePassage(index, Number(rowid))
}

export const removePassage = (index: DocumentFile, rowid: number): void => {
  index.run(
    "DELETE FROM column_words WHERE rowid IN (SELECT rowid FROM columns WHERE chunk = ?)",
    rowid,
  )
  index.run("DELETE FROM columns WHERE chunk = ?", rowid)
  index.run("DELETE FROM facets WHERE chunk = ?", rowid)
  index.run("DELETE FROM words WHERE rowid = ?", rowid)
  index.run("DELETE FROM spellings WHERE rowid = ?", rowid)
  freeVector(index, rowid)
  index.run("DELETE FROM chunks WHERE rowid = ?", rowid)
}

/** A passage that is there already keeps its row: a change of one row of many writes that row. */
export const replacePassages = (
  index: DocumentFile,
  path: string,
  passages: ReadonlyArray<Passage>,
  isPaged: boolean,
): void => {
  const known = Map.groupBy(
    index.all("SELECT rowid, digest FROM chunks WHERE path = ? ORDER BY ordinal", path),
    ({ digest }) => digest,
  )
  const open = passages.map((passage, ordinal) => ({ passage, ordinal, digest: digestOf(passage) }))
  const added = open.filter(({ digest, ordinal, passage }) => {
    const row = known.get(digest)?.shift()
    if (row !== undefined) move(index, Number(row["rowid"]), ordinal, passage)
    return row === undefined
  })
  for (const rows of known.values())
    for (const { rowid } of rows) removePassage(index, Number(rowid))
  for (const { ordinal, passage } of added) addPassage(index, path, ordinal, passage, isPaged)
}

/** Of all that does not change when passages in front of it do. */
const digestOf = ({ columns, facets, headings, id, lead, page, text }: Passage): string =>
  hash("sha256", JSON.stringify([id, headings, page, lead, text, columns, facets]))

const move = (
  index: DocumentFile,
  rowid: number,
  ordinal: number,
  { chars, lines }: Passage,
): void => {
  index.run(
    `UPDATE chunks SET ordinal = ?1, first_line = ?2, last_line = ?3, first_char = ?4, last_char = ?5
     WHERE rowid = ?6 AND (ordinal, first_line, last_line, first_char, last_char) IS NOT (?1, ?2, ?3, ?4, ?5)`,
    ordinal,
    ...placeOf(lines),
    ...chars,
    rowid,
  )
}

const placeOf = (lines: Passage["lines"]): readonly [number | null, number | null] =>
  lines ?? [null, null]

export const addPassage = (
  index: DocumentFile,
  path: string,
  ordinal: number,
  passage: Passage,
  isPaged: boolean,
): void => {
  const { chars, columns = {}, facets = {}, headings, id, lead, lines, page, text } = passage
  const rowid = index.run(
    `INSERT INTO chunks (path, ordinal, id, digest, headings, first_line, last_line, first_char, last_char, page, lead, text, tokens)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    path,
    ordinal,
    id,
    digestOf(passage),
    JSON.stringify(headings),
    ...placeOf(lines),
    ...chars,
    isPaged ? page : null,
    lead ?? null,
    text,
    estimateTokens(text),
  )
  const titles = `${path} ${headings.join(" ")}`
  const whole = `${lead ?? ""}\n${text}`
  index.run("INSERT INTO words (rowid, headings, text) VALUES (?, ?, ?)", rowid, titles, whole)
  index.run("INSERT INTO spellings (rowid, text) VALUES (?, ?)", rowid, `${titles}\n${whole}`)
  for (const [facet, values] of Object.entries(facets))
    for (const value of new Set(values))
      index.run(
        "INSERT INTO facets (name, value, folded, chunk) VALUES (?, ?, ?, ?)",
        facet,
        value,
        foldValue(value),
        rowid,
      )
  for (const [column, words] of Object.entries(columns)) {
    const at = index.run("INSERT INTO columns (chunk, name) VALUES (?, ?)", rowid, column)
    index.run("INSERT INTO column_words (rowid, text) VALUES (?, ?)", at, words)
  }
}
