/** The passages of an index that have no vector yet, and the texts among them that an embedder has to be sent. */
import { hash } from "node:crypto"
import type { DocumentFile, Row } from "../index/DocumentFile.ts"

export interface OpenPassage {
  readonly chunk: number
  /** Differs when the text does. */
  readonly digest: string
  readonly key: string
  readonly text: string
}

/** The rowid after which passages have no vector: they get theirs in the order of rowids. */
export const lastEmbedded = (file: DocumentFile): number =>
  Number(file.get("SELECT coalesce(max(chunk), 0) AS last FROM embedded")!["last"])

/** Passages after a rowid, in their order. */
export const passagesAfter = (
  file: DocumentFile,
  last: number,
  limit: number,
): ReadonlyArray<OpenPassage> =>
  file
    .all(
      "SELECT rowid AS chunk, digest, headings, lead, text FROM chunks WHERE rowid > ? ORDER BY rowid LIMIT ?",
      last,
      limit,
    )
    .map((row) => {
      const text = embeddedText(row)
      return {
        chunk: Number(row["chunk"]),
        digest: String(row["digest"]),
        key: hash("sha256", text),
        text,
      }
    })

/** The same passages without their texts. */
export const digestsAfter = (
  file: DocumentFile,
  last: number,
  limit: number,
): ReadonlyArray<Pick<OpenPassage, "chunk" | "digest">> =>
  file
    .all("SELECT rowid, digest FROM chunks WHERE rowid > ? ORDER BY rowid LIMIT ?", last, limit)
    .map(({ digest, rowid }) => ({ chunk: Number(rowid), digest: String(digest) }))

/** The text of a passage that is embedded: its headings say what it is about. */
const embeddedText = ({ headings, lead, text }: Row): string => {
  const titles = (JSON.parse(String(headings)) as ReadonlyArray<string>).join(" › ")
  return [titles, lead ?? "", String(text).trim()].filter((part) => part !== "").join("\n")
}

/** The id of the vector of a text. */
export const vectorOf = (file: DocumentFile, key: string): number | undefined => {
  const id = file.get("SELECT id FROM vectors WHERE hash = ?", key)?.["id"]
  return id === undefined ? undefined : Number(id)
}

/** Texts without a vector, by their hashes. */
export const unknownTexts = (
  file: DocumentFile,
  open: ReadonlyArray<OpenPassage>,
): ReadonlyMap<string, string> =>
  new Map(
    open.filter(({ key }) => vectorOf(file, key) === undefined).map(({ key, text }) => [key, text]),
  )
