/** Adds the passages of a file to an index, and removes them: their texts, words, facets and columns. */
import { estimateTokens } from "@planloom/plugin/facts"
import type { Chunk } from "../chunk/chunksOf.ts"
import type { DocumentFile } from "./DocumentFile.ts"
import { foldValue } from "./Scope.ts"

export const removePassages = (index: DocumentFile, path: string): void => {
  const chunks = "(SELECT rowid FROM chunks WHERE path = ?)"
  const columns = `(SELECT rowid FROM columns WHERE chunk IN ${chunks})`
  index.run(`DELETE FROM column_words WHERE rowid IN ${columns}`, path)
  index.run(`DELETE FROM columns WHERE chunk IN ${chunks}`, path)
  index.run(`DELETE FROM facets WHERE chunk IN ${chunks}`, path)
  index.run(`DELETE FROM words WHERE rowid IN ${chunks}`, path)
  index.run(`DELETE FROM embedded WHERE chunk IN ${chunks}`, path)
  index.run("DELETE FROM chunks WHERE path = ?", path)
}

export const addPassage = (
  index: DocumentFile,
  path: string,
  ordinal: number,
  { chars, columns = {}, facets = {}, headings, id, lead, lines, page, text }: Chunk,
  isPaged: boolean,
): void => {
  const rowid = index.run(
    `INSERT INTO chunks (path, ordinal, id, headings, first_line, last_line, first_char, last_char, page, lead, text, tokens)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    path,
    ordinal,
    id,
    JSON.stringify(headings),
    ...lines,
    ...chars,
    isPaged ? page : null,
    lead ?? null,
    text,
    estimateTokens(text),
  )
  index.run(
    "INSERT INTO words (rowid, headings, text) VALUES (?, ?, ?)",
    rowid,
    `${path} ${headings.join(" ")}`,
    `${lead ?? ""}\n${text}`,
  )
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
