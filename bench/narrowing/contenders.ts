/** The indexes that are compared: ours, and libraries that also run embedded, tuned as a careful user would. */
import type { IndexDocument } from "@planloom/plugin/effect"
import { EmbeddedIndex } from "@planloom/retrieval"
import { rival } from "../rivals/rival.ts"

const { default: MiniSearch } = await rival<{
  readonly default: new (options: object) => {
    readonly addAll: (documents: ReadonlyArray<object>) => void
    readonly search: (query: string) => ReadonlyArray<{ readonly id: unknown }>
  }
}>("minisearch")

const orama = await rival<{
  readonly create: (options: object) => object
  readonly insertMultiple: (index: object, rows: ReadonlyArray<object>) => unknown
  readonly search: (index: object, query: object) => Found | Promise<Found>
}>("@orama/orama")

interface Found {
  readonly hits: ReadonlyArray<{ readonly id: string }>
}

/** Both packages of wink are CommonJS without types. */
const { default: nlp } = await rival<{ readonly default: any }>("wink-nlp-utils")
const { default: winkIndex } = await rival<{ readonly default: () => Wink }>(
  "wink-bm25-text-search",
)

/** Answers the ids of the documents nearest to a query, best first. */
type Search = (query: string, limit: number) => ReadonlyArray<string>

export interface Contender {
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

const boost = {
  name: 3,
  group: 1.5,
  summary: 1,
  params: 0.6,
  param_texts: 0.25,
  group_summary: 0.25,
  examples: 1,
}

/** For libraries that know fields only, and need each of them: examples are one more. */
const flat = ({ fields, examples = [] }: IndexDocument): { readonly [field: string]: string } => ({
  ...Object.fromEntries(Object.keys(boost).map((field) => [field, fields[field] ?? ""])),
  examples: examples.join("\n"),
})

const miniSearch =
  (options: object): Contender["build"] =>
  (documents) => {
    const index = new MiniSearch({ fields: Object.keys(boost), ...options })
    index.addAll(documents.map((document) => ({ id: document.id, ...flat(document) })))
    return (query, limit) =>
      index
        .search(query)
        .slice(0, limit)
        .map(({ id }) => String(id))
  }

/** What a call that may be asynchronous answers where it is not; Orama is synchronous without asynchronous hooks. */
const settled = <A>(answer: A | Promise<A>): A => {
  if (answer instanceof Promise) throw new Error("it was expected to answer at once")
  return answer
}

interface Wink {
  readonly defineConfig: (config: object) => void
  readonly definePrepTasks: (tasks: ReadonlyArray<unknown>) => void
  readonly addDoc: (document: object, id: string) => void
  readonly consolidate: () => void
  readonly search: (query: string, limit: number) => ReadonlyArray<readonly [string, number]>
}

const wink: Contender["build"] = (documents) => {
  const index = winkIndex()
  index.defineConfig({ fldWeights: boost })
  const { string, tokens } = nlp
  index.definePrepTasks([spread, string.tokenize0, tokens.removeWords, tokens.stem])
  for (const document of documents) index.addDoc(flat(document), document.id)
  index.consolidate()
  return (query, limit) => index.search(query, limit).map(([id]) => id)
}

/** The best of five choices of fields and weights by mean R@12 on the three sets (of BFCL, every fourth query). */
const oramaBoost = { name: 1, summary: 1, params: 0.3, examples: 1 }

/**
 * Takes every word as a prefix, for `exact` would want the whole request in one field. A `tolerance` for
 * misspellings of one letter finds less on two of the three sets, no more on the other, and takes about four to seven times as long.
 */
const oramaSearch: Contender["build"] = (documents) => {
  const index = orama.create({
    schema: { name: "string", summary: "string", params: "string", examples: "string" },
    sort: { enabled: false },
    components: { tokenizer: { language: "english", stemming: true, stopWords: [...stop] } },
  })
  const field = (text: string | undefined) => spread(text ?? "")
  const rows = documents.map((document) => {
    const { name, summary, params, examples } = flat(document)
    return {
      id: document.id,
      name: field(name),
      summary: field(summary),
      params: field(params),
      examples: field(examples),
    }
  })
  settled(orama.insertMultiple(index, rows))
  return (query, limit) =>
    settled(orama.search(index, { term: spread(query), boost: oramaBoost, limit })).hits.map(
      ({ id }) => id,
    )
}

export const contenders: ReadonlyArray<Contender> = [
  {
    name: "planloom",
    build: (documents) => {
      const index = new EmbeddedIndex(documents)
      return (query, limit) => index.search(query, { limit }).map(({ id }) => id)
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
  { name: "orama", build: oramaSearch },
]
