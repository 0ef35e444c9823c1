/** Opens the index of documents: from memory, else from its file, else built and saved. */
import { readFile, readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import type { IndexDocument } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { EmbeddedIndex } from "./EmbeddedIndex.ts"
import type { Thesaurus } from "./text/Thesaurus.ts"
import { writeWhole } from "./writeWhole.ts"

/** Indexes in memory of one workflow: as many as its stages narrow differently. */
const MAX_KEPT = 4

/** Files in the folder; the oldest are deleted. */
const MAX_FILES = 16

const ENDING = ".index"

export interface IndexCache {
  /** The index of documents. It is shared: search it only. */
  readonly open: (
    key: string,
    documents: ReadonlyArray<IndexDocument>,
  ) => Effect.Effect<EmbeddedIndex>
}

export const indexCache = (thesaurus: Thesaurus, folder: string | undefined): IndexCache => {
  const kept = new Map<string, EmbeddedIndex>()
  const keep = (key: string, index: EmbeddedIndex): EmbeddedIndex => {
    kept.delete(key)
    kept.set(key, index)
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
    return index
  }
  return {
    open: (key, documents) =>
      Effect.suspend(() => {
        const known = kept.get(key)
        if (known !== undefined) return Effect.succeed(keep(key, known))
        const build = Effect.sync(() => new EmbeddedIndex(documents, thesaurus))
        const opened =
          folder === undefined || documents.length === 0
            ? build
            : saved(folder, key, thesaurus, build)
        return Effect.map(opened, (index) => keep(key, index))
      }),
  }
}

/** A file that cannot be read or used is reported and written again; one that cannot be written, only reported. */
const saved = (
  folder: string,
  key: string,
  thesaurus: Thesaurus,
  build: Effect.Effect<EmbeddedIndex>,
): Effect.Effect<EmbeddedIndex> =>
  Effect.gen(function* () {
    const file = join(folder, `${key}${ENDING}`)
    const read = yield* Effect.promise(() => loaded(file, key, thesaurus))
    if (typeof read === "object") return read
    if (read !== undefined) {
      yield* Effect.logWarning(`the saved index ${file} ${read}; it is built again`)
    }
    const index = yield* build
    const failure = yield* Effect.promise(() => save(index, folder, file, key))
    if (failure !== undefined) {
      yield* Effect.logWarning(`the index cannot be saved as ${file}: ${failure}`)
    }
    return index
  })

/** A text is the reason why the file cannot be used; undefined without a file. */
const loaded = async (file: string, key: string, thesaurus: Thesaurus) => {
  try {
    return EmbeddedIndex.load(key, await readFile(file), thesaurus)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    return `cannot be read: ${String(error)}`
  }
}

/** Returns why it was not written. */
const save = async (index: EmbeddedIndex, folder: string, file: string, key: string) => {
  const failure = await writeWhole(file, index.save(key))
  if (failure === undefined) await deleteOldest(folder)
  return failure
}

const deleteOldest = async (folder: string) => {
  const files = (await readdir(folder)).filter((name) => name.endsWith(ENDING))
  if (files.length <= MAX_FILES) return
  const aged = await Promise.all(
    files.map(async (name) => ({ name, time: (await stat(join(folder, name))).mtimeMs })),
  )
  aged.sort((a, b) => b.time - a.time)
  for (const { name } of aged.slice(MAX_FILES)) await rm(join(folder, name), { force: true })
}
