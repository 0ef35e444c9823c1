/** The searches that are compared, each as it is built and asked. */
import { utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DocumentIndex } from "@planloom/documents"
import { ExactRanking, type VectorRanking } from "@planloom/retrieval"
import { FaissRanking, loadFaiss } from "@planloom/retrieval-faiss"
import { rival } from "../rivals/rival.ts"
import { DIMENSIONS, fileOf, passage, query, vectorOf } from "./corpus.ts"

export interface Built {
  /** Asks the query of a number. */
  readonly search: (at: number) => unknown
  /** Changes one file, or one document of an index without files; milliseconds count until a search would find it. */
  readonly update: (at: number) => unknown
  readonly note?: string
}

export interface Contender {
  readonly name: string
  /** Whether it reads the passages from files, which are in the folder of its build. */
  readonly readsFiles?: true
  readonly build: (passages: number, folder: string) => Promise<Built>
}

const { signal } = new AbortController()

/** Seconds since a file has changed: one of the last two seconds is read again by the next sync, which would count for its update. */
const SETTLED = 10

const opened = async (passages: number, folder: string) => {
  const index = new DocumentIndex(join(folder, "index.sqlite"), {
    folder: { root: join(folder, "docs") },
  })
  await index.sync({ signal })
  if (index.status().passages < passages) throw new Error("passages are missing")
  const update = async (at: number) => {
    const path = join(folder, "docs", `${at}.md`)
    writeFileSync(path, fileOf(at, `# more\nchanged ${at}\n`))
    const changed = Date.now() / 1000 - SETTLED
    utimesSync(path, changed, changed)
    await index.sync({ signal })
  }
  return { index, update }
}

const words: Contender = {
  name: "documents, words",
  readsFiles: true,
  build: async (passages, folder) => {
    const { index, update } = await opened(passages, folder)
    return { search: (at) => index.search(query(at), { limit: 5 }), update }
  },
}

/** Vectors are made up by the number that is the heading of a passage. */
const embedder = {
  model: "bench/centers",
  dimensions: DIMENSIONS,
  embed: async (texts: ReadonlyArray<string>) =>
    texts.map((text) => vectorOf(Number.parseInt(text, 10) || 0)),
}

const both: Contender = {
  name: "documents, words and vectors",
  readsFiles: true,
  build: async (passages, folder) => {
    const { index, update } = await opened(passages, folder)
    await index.embed(embedder, signal)
    const { candidates, recall } = index.embedding()!
    return {
      search: (at) => index.searchBoth(query(at), vectorOf(at * 13), { limit: 5 }),
      update: async (at) => {
        await update(at)
        await index.embed(embedder, signal)
      },
      note:
        candidates === undefined
          ? `all vectors are compared${recall === undefined ? "" : `: codes found ${recall}`}`
          : `${candidates} candidates by codes, recall ${recall?.toFixed(3)}`,
    }
  },
}

const miniSearch: Contender = {
  name: "MiniSearch, words",
  build: async (passages) => {
    const { default: MiniSearch } = await rival<{
      readonly default: new (options: object) => {
        readonly addAll: (documents: ReadonlyArray<object>) => void
        readonly replace: (document: object) => void
        readonly search: (text: string) => ReadonlyArray<object>
      }
    }>("minisearch")
    const index = new MiniSearch({ fields: ["text"], storeFields: ["text"] })
    index.addAll(Array.from({ length: passages }, (_, id) => ({ id, text: passage(id) })))
    return {
      search: (at) => index.search(query(at)).slice(0, 5),
      update: (id) => index.replace({ id, text: `${passage(id)} changed` }),
    }
  },
}

const orama: Contender = {
  name: "Orama, words",
  build: async (passages) => {
    const library = await rival<{
      readonly create: (options: object) => object
      readonly insertMultiple: (
        index: object,
        rows: ReadonlyArray<object>,
        batch: number,
      ) => unknown
      readonly update: (index: object, id: string, row: object) => unknown
      readonly search: (index: object, query: object) => unknown
    }>("@orama/orama")
    const index = library.create({ schema: { text: "string" } })
    const rows = Array.from({ length: passages }, (_, id) => ({ id: `${id}`, text: passage(id) }))
    await library.insertMultiple(index, rows, 1000)
    return {
      search: (at) => library.search(index, { term: query(at), limit: 5 }),
      update: (id) =>
        library.update(index, `${id}`, { id: `${id}`, text: `${passage(id)} changed` }),
    }
  },
}

const ranked = (
  name: string,
  make: () => VectorRanking & { settled?: () => Promise<void> },
): Contender => ({
  name,
  build: async (passages) => {
    const ranking = make()
    for (let at = 0; at < passages; at++) ranking.put(`${at}`, [vectorOf(at)])
    ranking.nearest(vectorOf(0), undefined, 5)
    await ranking.settled?.()
    return {
      search: (at) => ranking.nearest(vectorOf(at * 13), undefined, 5),
      update: (at) => {
        ranking.put(`${at}`, [vectorOf(at + 1)])
        ranking.nearest(vectorOf(at), undefined, 5)
      },
    }
  },
})

const faiss = (kind: "flat" | "hnsw"): Contender =>
  ranked(`FAISS ${kind}, vectors`, () => {
    const loaded = loadFaiss()
    if (typeof loaded === "string") throw new Error(loaded)
    return new FaissRanking(loaded, kind)
  })

export const contenders: ReadonlyArray<Contender> = [
  words,
  both,
  miniSearch,
  orama,
  ranked("embedded, vectors", () => new ExactRanking()),
  faiss("flat"),
  faiss("hnsw"),
]
