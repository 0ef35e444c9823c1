/** The declarations of a workflow → its libraries; one of the workflow replaces one of the project with its name. */
import { hash } from "node:crypto"
import { dirname, join, normalize, resolve } from "node:path"
import { parseDuration } from "@planloom/plugin/duration"
import type { Declared, Reference, ValuePath } from "@planloom/plugin/effect"
import type { LibrarySources } from "../sources/openSources.ts"
import type { RowFile } from "../sources/RowFile.ts"

export const FILE_KIND = "Documents"
export const SECTION = "libraries"

/** Folder of the indexes, below that of the project. */
export const INDEX_FOLDER = join(".planloom", "documents")

export interface WrittenSet {
  readonly folder?: string
  readonly include?: ReadonlyArray<string>
  readonly exclude?: ReadonlyArray<string>
  readonly max_files?: number
  readonly urls?: ReadonlyArray<string>
  readonly private?: ReadonlyArray<string>
  readonly rows?: WrittenRows | ReadonlyArray<WrittenRows>
  readonly facets?: ReadonlyArray<string>
  readonly user?: string
  readonly embedder?: string
  readonly rerank?: string
  readonly sync?: { readonly every: string }
  /** CEL by facet. */
  readonly where?: { readonly [facet: string]: string }
}

/** A path, or a file with what its columns are for. */
export type WrittenRows = string | Pick<RowFile, "file" | "table" | "key" | "columns">

export type WrittenSets = { readonly [name: string]: WrittenSet }

export interface DocumentSet {
  readonly name: string
  readonly sources: LibrarySources
  /** Id of the embedder by which it is searched, too. */
  readonly embedder: string | undefined
  /** Id of the reranker that orders what is found in it. */
  readonly rerank?: string
  /** The SQLite file of the index, below the project's folder. */
  readonly index: string
  /** Milliseconds between two syncs of a server; undefined without such syncs. */
  readonly every?: number
  /** CEL by facet: what may be found. */
  readonly where: { readonly [facet: string]: string }
}

/** The embedders and rerankers that sets name, for `check`. */
export const servicesIn = (sets: WrittenSets, at: ValuePath): ReadonlyArray<Reference> =>
  Object.entries(sets).flatMap(([name, { embedder, rerank }]) => [
    ...(embedder === undefined
      ? []
      : [{ to: "embedder", id: embedder, at: [...at, name, "embedder"] }]),
    ...(rerank === undefined ? [] : [{ to: "reranker", id: rerank, at: [...at, name, "rerank"] }]),
  ])

/** The files, then the sections of the project and of the workflow. */
export const readSets = ({ files, root, sections }: Declared): ReadonlyMap<string, DocumentSet> => {
  const written = [
    ...files(FILE_KIND).map(({ path, value }) => ({
      path,
      sets: (value as unknown as { readonly libraries: WrittenSets }).libraries,
    })),
    ...sections(SECTION).map(({ path, value }) => ({
      path,
      sets: value as unknown as WrittenSets,
    })),
  ]
  return new Map(
    written.flatMap(({ path, sets }) =>
      Object.entries(sets).map(([name, set]) => [name, setOf(name, set, path, root)]),
    ),
  )
}

const setOf = (name: string, written: WrittenSet, file: string, root: string): DocumentSet => {
  const { embedder, rerank, sync, where = {} } = written
  const sources = sourcesOf(written, dirname(file))
  // Sets of two workflows may have one name: each has an index of its own unless they read the same by the same embedder.
  const key = hash(
    "sha256",
    JSON.stringify([sources, ...(embedder === undefined ? [] : [embedder])]),
  ).slice(0, 8)
  return {
    name,
    sources,
    embedder,
    ...(rerank !== undefined && { rerank }),
    ...(sync !== undefined && { every: parseDuration(sync.every)! }),
    index: join(root, INDEX_FOLDER, `${name}-${key}.sqlite`),
    where,
  }
}

const sourcesOf = (written: WrittenSet, base: string): LibrarySources => {
  const { exclude, facets, folder, include, max_files: files, rows, urls, user } = written
  const all = rows === undefined ? [] : isList(rows) ? rows : [rows]
  return {
    ...(folder !== undefined && {
      folder: {
        root: resolve(base, folder),
        ...(include !== undefined && { include }),
        ...(exclude !== undefined && { exclude }),
        ...(files !== undefined && { files }),
      },
    }),
    ...(all.length > 0 && { rows: all.map((one) => rowsOf(one, base)) }),
    ...(urls !== undefined && {
      pages: { urls, ...(written.private !== undefined && { private: written.private }) },
    }),
    ...(facets !== undefined && { facets }),
    ...(user !== undefined && { user }),
  }
}

const isList = (rows: WrittenSet["rows"]): rows is ReadonlyArray<WrittenRows> => Array.isArray(rows)

const rowsOf = (written: WrittenRows, base: string): RowFile => {
  const rows = typeof written === "string" ? { file: written } : written
  const path = normalize(rows.file).replaceAll("\\", "/")
  return {
    ...rows,
    file: resolve(base, rows.file),
    name: rows.table === undefined ? path : `${path}#${rows.table}`,
  }
}
