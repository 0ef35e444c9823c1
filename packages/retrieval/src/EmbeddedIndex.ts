/** Hybrid search index over documents: in memory, synchronous, without network. */
import type { IndexDocument, SearchOptions } from "@planloom/plugin/effect"
import type { ScoredDocument } from "./selectTop.ts"
import { clauses } from "./clauses.ts"
import { Collection, type Allowed, type Match } from "./Collection.ts"
import { exampleWeights, gramWeights, textsOf, wordWeights } from "./Field.ts"
import { addScaled, fuse, type Ranking } from "./fuse.ts"
import { nearness } from "./nearness.ts"

/** Grams have higher recall but lower precision than words. */
const GRAM_WEIGHT = 0.5

/** Weight of one clause relative to the whole request. */
const CLAUSE_WEIGHT = 0.3

/** Finds tools by example requests without burying tools that have no examples. */
const EXAMPLE_WEIGHT = 0.5

/** Meaning decides together with words: names and codes are found by words, other ways to say it by vectors. */
const VECTOR_WEIGHT = 1

export class EmbeddedIndex {
  /** Facets by id. */
  private readonly ids = new Map<string, IndexDocument["facets"]>()
  private readonly documents = new Collection(wordWeights, gramWeights)
  private readonly examples = new Collection(exampleWeights, exampleWeights)

  constructor(documents: ReadonlyArray<IndexDocument> = []) {
    this.add(documents)
  }

  get size(): number {
    return this.ids.size
  }

  /** Adds documents; a document with a known id replaces the previous one. */
  add(documents: ReadonlyArray<IndexDocument>): void {
    const byId = new Map(documents.map((document) => [document.id, document]))
    this.remove([...byId.keys()])
    for (const [id, { facets }] of byId) this.ids.set(id, facets)
    const added = [...byId.values()]
    this.documents.add(added.map((document) => ({ owner: document.id, texts: textsOf(document) })))
    this.examples.add(
      added.flatMap(({ id, examples = [] }) =>
        examples.map((text) => ({ owner: id, texts: [text] })),
      ),
    )
  }

  /** Removes documents; unknown ids are ignored. */
  remove(ids: ReadonlyArray<string>): void {
    const known = new Set(ids.filter((id) => this.ids.delete(id)))
    if (known.size === 0) return
    this.documents.remove(known)
    this.examples.remove(known)
  }

  /** Which documents have the facets; undefined: all of them. */
  allowed(where: SearchOptions["where"]): Allowed {
    return where && ((id) => hasFacets(this.ids.get(id), where))
  }

  /**
   * Returns the best matches first, without documents that share no term with the query and are not among `byVectors`,
   * the documents nearest by meaning.
   */
  search(
    query: string,
    { least = 0, limit, where }: SearchOptions,
    byVectors: ReadonlyArray<ScoredDocument> = [],
  ): ReadonlyArray<ScoredDocument> {
    const { documents, examples } = this
    const isAllowed = this.allowed(where)
    const ofWords = (text: string) => [
      documents.byWords(text, isAllowed),
      examples.byWords(text, isAllowed),
    ]
    const words = ofWords(query)
    const grams = [documents.byGrams(query, isAllowed), examples.byGrams(query, isAllowed)]
    const rankings: Array<Ranking> = [
      { ranked: joined(words), weight: 1 },
      { ranked: joined(grams), weight: GRAM_WEIGHT },
      { ranked: byVectors, weight: VECTOR_WEIGHT },
    ]
    const parts = clauses(query)
    // In a short text such as a clause, grams add little to words.
    if (parts.length > 1)
      for (const part of parts)
        rankings.push({ ranked: joined(ofWords(part)), weight: CLAUSE_WEIGHT })
    return nearness(fuse(rankings), words, grams, byVectors)
      .filter(({ score }) => score >= least)
      .slice(0, Math.max(0, limit))
  }
}

const joined = ([documents, examples]: ReadonlyArray<Match>): ReadonlyArray<ScoredDocument> =>
  addScaled(documents!.ranked, examples!.ranked, EXAMPLE_WEIGHT)

const hasFacets = (
  facets: IndexDocument["facets"],
  where: NonNullable<SearchOptions["where"]>,
): boolean =>
  Object.entries(where).every(([facet, values]) =>
    facets?.[facet]?.some((value) => values.includes(value)),
  )
