/** Searches libraries: the passages of all of them by rank, and what is not found. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { DocumentIndex } from "../index/DocumentIndex.ts"
import { DocumentsFailed } from "../index/DocumentsFailed.ts"
import type { EmbeddingReport } from "../vectors/embedPassages.ts"
import { isFileWithin, type Filter } from "../index/Scope.ts"
import { isFound, type Hit } from "../index/Hit.ts"
import type { SearchOptions } from "../index/searchWords.ts"
import type { ReadWord } from "../index/readSpelling.ts"
import type { FileProblem } from "../index/lastSync.ts"
import type { SyncReport } from "../index/syncSources.ts"
import { mergeRanked } from "./mergeRanked.ts"
import { RERANKED, rerankHits, type Rerank } from "./rerankHits.ts"
import { DEFAULT_LIMIT } from "./searchDocuments.ts"

/** A set that has been synced for this search. */
export interface SyncedSet {
  readonly name: string
  readonly index: DocumentIndex
  readonly report: SyncReport
  /** Bounds of what may be found in it. */
  readonly bounds: Filter
  /** Of a set with an embedder: which passages have vectors. */
  readonly embedding?: EmbeddingReport
  /** The query's, unless the embedder gives none now. */
  readonly vector?: Float32Array
  /** Orders what is found in it. */
  readonly rerank?: Rerank
}

/** The params of a search that fit their schema. */
export interface SearchParams extends Pick<SearchOptions, "mode" | "threshold" | "wordings"> {
  readonly query: string
  readonly library?: string
  readonly filter?: WrittenFilter
  readonly where?: WrittenFilter
  readonly limit?: number
}

/** By facet: a value, or several. */
export type WrittenFilter = { readonly [facet: string]: Json }

export const readFilter = (written: WrittenFilter): Filter =>
  Object.fromEntries(
    Object.entries(written).map(([facet, value]) => [
      facet,
      (Array.isArray(value) ? value : [value]).map(String),
    ]),
  )

export const searchSets = async (
  sets: ReadonlyArray<SyncedSet>,
  params: SearchParams,
): Promise<JsonObject> => {
  const {
    filter = {},
    limit = DEFAULT_LIMIT,
    mode,
    query: words,
    threshold: least,
    where = {},
    wordings,
  } = params
  const options = {
    limit,
    ...(least !== undefined && { threshold: least }),
    ...(mode !== undefined && { mode }),
    wordings,
    filter: readFilter(filter),
  }
  const within = readFilter(where)
  const searched = withFacets(sets, [...Object.keys(filter), ...Object.keys(where)])
  // What one library has is spelled right in the others.
  const known = new Set(
    searched.length === 1
      ? []
      : searched.flatMap(({ bounds, index }) =>
          index.wordsHeld(words, { wordings, where: [bounds, within] }),
        ),
  )
  const results = await Promise.all(
    searched.map(async ({ bounds, index, name, rerank, vector }) => {
      const all = {
        ...options,
        where: [bounds, within],
        known,
        ...(rerank !== undefined && { limit: Math.max(limit, RERANKED) }),
      }
      const result =
        vector === undefined ? index.search(words, all) : index.searchBoth(words, vector, all)
      if (rerank === undefined) return { name, index, ...result, isUnordered: false }
      const ordered = await rerankHits(result.hits, { query: words, rerank, threshold: least })
      const hits = (ordered ?? result.hits).slice(0, limit)
      return { name, index, ...result, hits, isUnordered: ordered === undefined }
    }),
  )
  const hits = mergeRanked(
    results.map(({ hits: some, index, name }) => some.map((hit) => ({ hit, index, name }))),
    ({ hit }) => hit.score,
  ).slice(0, limit)
  const [first, ...others] = results
  const unknown = (first?.unknown ?? []).filter((word) =>
    others.every((other) => other.unknown.includes(word)),
  )
  const read = distinctReadings(results.flatMap((one) => one.read))
  const found = hits.some(({ hit }) => isFound(hit, least))
  const empty = results
    .filter((one) => !one.hits.some((hit) => isFound(hit, least)))
    .map(({ name }) => name)
  const unreadable = searched.flatMap((set) => knownProblems(set.report.unreadable, set))
  const cut = searched.flatMap((set) => knownProblems(set.report.cut, set))
  const complete = searched.every(
    ({ report: { cut: parts, isBehind, left, unreadable: files } }) =>
      files.length === 0 && parts.length === 0 && !left && !isBehind,
  )
  return {
    text: [
      sentence(words, found, hits.length, unknown, searched),
      ...read.map(({ as, word }) => `"${word}" is read as "${as}".`),
      ...searched.flatMap(withoutMeaning),
      ...results.flatMap(({ isUnordered, name }) =>
        isUnordered ? [`What is found in ${name} was not reranked.`] : [],
      ),
    ].join(" "),
    found,
    passages: hits.map(({ hit, index, name }) => passageOf(name, hit, index.modified(hit.path))),
    unknown,
    read_as: read.map((one) => ({ ...one })),
    searched: searched.map(({ name }) => name),
    empty,
    unreadable: unreadable.map((one) => ({ ...one })),
    cut: cut.map((one) => ({ ...one })),
    complete,
  }
}

const distinctReadings = (read: ReadonlyArray<ReadWord>): ReadonlyArray<ReadWord> => [
  ...new Map(read.map((one) => [`${one.word} ${one.as}`, one])).values(),
]

/** Problems of files that may be found; a path outside of the bounds is not shown. */
const knownProblems = (
  problems: ReadonlyArray<FileProblem>,
  { bounds }: SyncedSet,
): ReadonlyArray<FileProblem> => problems.filter(({ path }) => isFileWithin(path, bounds))

/** The libraries that have all facets of a filter. Fails with `DocumentsFailed` where none has. */
const withFacets = (
  sets: ReadonlyArray<SyncedSet>,
  wanted: ReadonlyArray<string>,
): ReadonlyArray<SyncedSet> => {
  if (wanted.length === 0) return sets
  const known = sets.map((set) => ({ set, facets: set.index.facets() }))
  const fitting = known.filter(({ facets }) => wanted.every((facet) => facets.includes(facet)))
  if (fitting.length > 0) return fitting.map(({ set }) => set)
  const [facet] = wanted.filter((one) => known.every(({ facets }) => !facets.includes(one)))
  const there = known.map(({ facets, set }) => `${set.name} has ${facets.join(", ")}`).join("; ")
  throw new DocumentsFailed(
    facet === undefined
      ? `no library has the facets ${wanted.join(", ")} together: ${there}`
      : `no library has the facet ${facet}: ${there}`,
  )
}

const passageOf = (name: string, hit: Hit, modified: number | undefined): JsonObject => {
  const {
    by,
    column,
    cosine,
    headings,
    id,
    isNear,
    lines,
    matched,
    missing,
    page,
    path,
    read,
    score,
    text: words,
    wording,
  } = hit
  return {
    library: name,
    id,
    path,
    heading: headings.join(" › "),
    // Pages are found by number; the lines of their text stand in no file.
    ...(page !== undefined
      ? { page }
      : lines !== undefined && { first_line: lines[0], last_line: lines[1] }),
    ...(modified !== undefined && { modified: new Date(modified).toISOString() }),
    text: words,
    score,
    by,
    matched: [...matched],
    missing: [...missing],
    ...(wording !== undefined && { wording }),
    ...(read.length === 0 ? {} : { read_as: read.map((one) => ({ ...one })) }),
    ...(column === undefined ? {} : { column }),
    ...(cosine === undefined ? {} : { cosine }),
    ...(isNear === undefined ? {} : { near: true }),
  }
}

const sentence = (
  words: string,
  found: boolean,
  count: number,
  unknown: ReadonlyArray<string>,
  searched: ReadonlyArray<SyncedSet>,
): string => {
  const without =
    unknown.length === 0 ? "" : ` No document has ${unknown.map((word) => `"${word}"`).join(", ")}.`
  const nor = searched.some(({ vector }) => vector !== undefined) ? ", or means about the same" : ""
  return found
    ? `${count} ${count === 1 ? "passage" : "passages"} for "${words}".${without}`
    : `Nothing is found for "${words}": no passage has enough of its words${nor}.${without}`
}

/** Passages of a library with an embedder that were not searched by meaning. */
const withoutMeaning = ({ embedding, name, vector }: SyncedSet): ReadonlyArray<string> => {
  if (embedding === undefined) return []
  const { embedded, passages, problem } = embedding
  if (vector === undefined) {
    const why = problem === undefined ? "" : `: ${problem}`
    return [`${name} was searched by words alone${why}.`]
  }
  return embedded === passages
    ? []
    : [`Of ${name}, ${embedded} of ${passages} passages have a vector: ${problem}.`]
}
