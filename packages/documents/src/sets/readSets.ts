/** The declarations of a workflow → its libraries; a later declaration of a name replaces an earlier one. */
import { hash } from "node:crypto"
import { dirname, join, resolve } from "node:path"
import type { Declared, Reference, ValuePath } from "@planloom/plugin/effect"
import type { DocumentFolder } from "../index/DocumentFolder.ts"

export const FILE_KIND = "Documents"
export const SECTION = "libraries"

export interface WrittenSet {
  readonly folder: string
  readonly include?: ReadonlyArray<string>
  readonly exclude?: ReadonlyArray<string>
  readonly max_files?: number
  readonly embedder?: string
  /** CEL by facet. */
  readonly where?: { readonly [facet: string]: string }
}

export type WrittenSets = { readonly [name: string]: WrittenSet }

export interface DocumentSet {
  readonly name: string
  readonly folder: DocumentFolder
  /** Id of the embedder by which it is searched, too. */
  readonly embedder: string | undefined
  /** The SQLite file of the index, below the project's folder. */
  readonly index: string
  /** CEL by facet: what may be found. */
  readonly where: { readonly [facet: string]: string }
}

/** The embedders that sets name, for `check`. */
export const embeddersIn = (sets: WrittenSets, at: ValuePath): ReadonlyArray<Reference> =>
  Object.entries(sets).flatMap(([name, { embedder }]) =>
    embedder === undefined ? [] : [{ to: "embedder", id: embedder, at: [...at, name, "embedder"] }],
  )

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
  const { embedder, exclude, include, max_files: files, where = {} } = written
  const folder = {
    root: resolve(dirname(file), written.folder),
    ...(include !== undefined && { include }),
    ...(exclude !== undefined && { exclude }),
    ...(files !== undefined && { files }),
  }
  // Sets of two workflows may have one name: each has an index of its own unless they read the same by the same embedder.
  const key = hash(
    "sha256",
    JSON.stringify([folder, ...(embedder === undefined ? [] : [embedder])]),
  ).slice(0, 8)
  return {
    name,
    folder,
    embedder,
    index: join(root, ".planloom", "documents", `${name}-${key}.sqlite`),
    where,
  }
}
