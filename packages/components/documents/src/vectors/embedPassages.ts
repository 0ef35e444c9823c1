/** Gives the passages of an index their vectors: a text that has one is not embedded again, wherever it stands now. */
import type { DocumentFile } from "../index/DocumentFile.ts"
import { codeOf } from "./codes.ts"
import { measureCodes } from "./measureCodes.ts"
import {
  digestsAfter,
  lastEmbedded,
  passagesAfter,
  unknownTexts,
  vectorOf,
  type OpenPassage,
} from "./openTexts.ts"
import { bytesOf, unit, type Vectors } from "./Vectors.ts"
import { vectorTableNames } from "./vectorTables.ts"

/** Turns texts into vectors; undefined where it fails or may not be called now. */
export interface PassageEmbedder {
  /** `service/model`: vectors of different ones do not compare. */
  readonly model: string
  readonly dimensions: number
  readonly embed: (
    texts: ReadonlyArray<string>,
    signal: AbortSignal,
  ) => Promise<ReadonlyArray<Float32Array> | undefined>
  /** Reports that a search goes without vectors, and why. */
  readonly without?: (reason: string) => Promise<void>
}

export interface EmbeddingReport {
  /** Passages with a vector. */
  readonly embedded: number
  readonly passages: number
  /** Texts that were sent to the embedder. */
  readonly sent: number
  /** The reason for which not all passages have a vector, in one sentence. */
  readonly problem?: string
}

/** Texts of one transaction: what an interrupted sync loses. */
const BATCH = 64

/** `onBatch` is called with the texts that were sent. */
export const embedPassages = async (
  file: DocumentFile,
  vectors: Vectors,
  embedder: PassageEmbedder,
  signal: AbortSignal,
  onBatch?: (sent: number) => void,
): Promise<EmbeddingReport> => {
  file.write(() => prepare(file, vectors, embedder))
  let sent = 0
  let problem: string | undefined
  for (;;) {
    signal.throwIfAborted()
    const open = openPassages(file)
    if (open.length === 0) break
    const unknown = unknownTexts(file, open)
    if (unknown.size > 0) {
      const texts = [...unknown.values()]
      const made = await embedder.embed(texts, signal)
      problem =
        made === undefined
          ? "the embedder gives no vectors now"
          : refusal(made, texts.length, embedder)
      if (made === undefined || problem !== undefined) break
      sent += texts.length
      file.write(() => [...unknown.keys()].forEach((key, at) => add(file, key, made[at]!)))
      onBatch?.(sent)
    }
    file.write(() => link(file, open))
  }
  file.write(() => removeUnused(file))
  measureCodes(file, vectors)
  const report = { ...embeddedCount(file), sent }
  return problem === undefined ? report : { ...report, problem }
}

const openPassages = (file: DocumentFile): ReadonlyArray<OpenPassage> =>
  passagesAfter(file, lastEmbedded(file), BATCH)

export const embeddedCount = (
  file: DocumentFile,
): Pick<EmbeddingReport, "embedded" | "passages"> => {
  const count = (table: string) => Number(file.get(`SELECT count(*) AS n FROM ${table}`)!["n"])
  return { embedded: count("embedded"), passages: count("chunks") }
}

/** Vectors of another model are of no use. */
const prepare = (file: DocumentFile, vectors: Vectors, { dimensions, model }: PassageEmbedder) => {
  const known = vectors.embedding()
  if (known?.model === model && known.dimensions === dimensions) return
  for (const table of vectorTableNames) file.run(`DELETE FROM ${table}`)
  file.run("INSERT INTO embedding (one, model, dimensions) VALUES (1, ?, ?)", model, dimensions)
}

/** The refusal of vectors. */
const refusal = (
  made: ReadonlyArray<Float32Array>,
  texts: number,
  { dimensions, model }: PassageEmbedder,
): string | undefined => {
  if (made.length !== texts) return `${model} gives ${made.length} vectors for ${texts} texts`
  if (made.some(({ length }) => length !== dimensions))
    return `${model} gives vectors of another length than ${dimensions}`
  return made.every((vector) => unit(vector) !== undefined)
    ? undefined
    : `${model} gives vectors with values that are no numbers`
}

const add = (file: DocumentFile, key: string, given: Float32Array): void => {
  const vector = unit(given)!
  const id = file.run("INSERT INTO vectors (hash, vector) VALUES (?, ?)", key, bytesOf(vector))
  file.run("INSERT INTO codes (id, code) VALUES (?, ?)", id, bytesOf(codeOf(vector)))
  // Until a passage has it.
  file.run("INSERT INTO freed (vector) VALUES (?)", id)
}

/**
 * Their rows are looked up once more: another process may have read their files again. A digest stands for the text that was
 * embedded; none is left out.
 */
const link = (file: DocumentFile, passages: ReadonlyArray<OpenPassage>): void => {
  const keys = new Map(passages.map(({ digest, key }) => [digest, key]))
  for (const { chunk, digest } of digestsAfter(file, lastEmbedded(file), BATCH)) {
    const key = keys.get(digest)
    const id = key === undefined ? undefined : vectorOf(file, key)
    if (id === undefined) return
    file.run("INSERT INTO embedded (chunk, vector) VALUES (?, ?)", chunk, id)
  }
}

/** Vectors of removed passages that no other has. */
export const removeUnused = (file: DocumentFile): void => {
  const unused = `SELECT vector FROM freed
    WHERE NOT EXISTS (SELECT 1 FROM embedded WHERE embedded.vector = freed.vector)`
  file.run(`DELETE FROM codes WHERE id IN (${unused})`)
  file.run(`DELETE FROM vectors WHERE id IN (${unused})`)
  file.run("DELETE FROM freed")
}
