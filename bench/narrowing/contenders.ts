/** The indexes that are compared: ours, and libraries that also run embedded, tuned as a careful user would. */
import { createRequire } from "node:module"
import type { IndexDocument } from "@planloom/plugin"
import { EmbeddedIndex } from "@planloom/retrieval"
import MiniSearch from "minisearch"

/** Answers the ids of the documents nearest to a query, best first. */
type Search = (query: string, limit: number) => ReadonlyArray<string>

interface Contender {
  readonly name: string
  readonly build: (documents: ReadonlyArray<IndexDocument>) => Search
}

/** `getUserName` and `get_user_name` as words, which neither library does by itself. */
const spread = (text: string) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_./-]+/g, " ")
    .toLowerCase()

const stop = new Set(
  "a an and are as at be by can could do for from get give have how i in is it me my of on or please show tell that the this to want what which will with would you".split(
    " ",
  ),
)

const boost = { name: 3, group: 1.5, summary: 1, params: 0.6, param_texts: 0.25 }

const miniSearch =
  (options: object): Contender["build"] =>
  (documents) => {
    const index = new MiniSearch({ fields: Object.keys(boost), ...options })
    index.addAll(documents.map(({ id, fields }) => ({ id, ...fields })))
    return (query, limit) =>
      index
        .search(query)
        .slice(0, limit)
        .map(({ id }) => String(id))
  }

interface Wink {
  readonly defineConfig: (config: object) => void
  readonly definePrepTasks: (tasks: ReadonlyArray<unknown>) => void
  readonly addDoc: (document: object, id: string) => void
  readonly consolidate: () => void
  readonly search: (query: string, limit: number) => ReadonlyArray<readonly [string, number]>
}

/** Both packages of wink are CommonJS without types. */
const require = createRequire(import.meta.url)

const wink: Contender["build"] = (documents) => {
  const nlp = require("wink-nlp-utils")
  const index = (require("wink-bm25-text-search") as () => Wink)()
  index.defineConfig({ fldWeights: boost })
  const { string, tokens } = nlp
  index.definePrepTasks([spread, string.tokenize0, tokens.removeWords, tokens.stem])
  for (const { id, fields } of documents) index.addDoc(fields, id)
  index.consolidate()
  return (query, limit) => index.search(query, limit).map(([id]) => id)
}

export const contenders: ReadonlyArray<Contender> = [
  {
    name: "planloom",
    build: (documents) => {
      const index = new EmbeddedIndex(documents)
      return (query, limit) => index.search(query, limit).map(({ id }) => id)
    },
  },
  {
    name: "minisearch tuned",
    build: miniSearch({
      tokenize: (text: string) => spread(text).split(/[^\p{L}\p{N}]+/u),
      processTerm: (term: string) => (stop.has(term) ? null : term),
      searchOptions: { boost, prefix: true, fuzzy: 0.2 },
    }),
  },
  { name: "minisearch default", build: miniSearch({}) },
  { name: "wink-bm25", build: wink },
]
