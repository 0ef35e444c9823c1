/** Hybrid search index over documents: in memory, synchronous, without network. */
import type { IndexDocument, SearchOptions } from "@planloom/plugin/effect"
import type { ScoredDocument } from "./selectTop.ts"
import { clauses } from "./text/clauses.ts"
import { Collection, type Allowed, type Match } from "./Collection.ts"
import { exampleWeights, gramWeights, textsOf, wordWeights } from "./Field.ts"
import { addScaled, fuse, type Ranking } from "./fuse.ts"
import { decodeIndex, encodeIndex, type IndexContent } from "./IndexFile.ts"
import { nearness } from "./nearness.ts"
import { englishThesaurus, type Thesaurus } from "./text/Thesaurus.ts"

/** Grams have higher recall but lower precision than words. */
const GRAM_WEIGHT = 0.5

/** Weight of one clause relative to the whole request. */
const CLAUSE_WEIGHT = 0.3

/** Finds tools by example requests without burying tools that have no examples. */
const EXAMPLE_WEIGHT = 0.5

/** Meaning decides together with words: names and codes are found by words, other ways to say it by vectors. */
const VECTOR_WEIGHT = 0.8

/** Hits of a search without a limit. */
const DEFAULT_LIMIT = 10

/** Characters of a query that are searched: the time of a search has a bound, whatever a request holds. */
const MAX_QUERY_CHARS = 4000

/** Clauses that are searched by themselves. */
const MAX_CLAUSES = 16

export class EmbeddedIndex {
  /** Facets by id. */
  private readonly ids = new Map<string, IndexDocument["facets"]>()
  private readonly thesaurus: Thesaurus
  private readonly documents: Collection
  private readonly examples: Collection

  constructor(documents: ReadonlyArray<IndexDocument> = [], thesaurus = englishThesaurus()) {
    this.thesaurus = thesaurus
    this.documents = new Collection(wordWeights, gramWeights, thesaurus)
    this.examples = new Collection(exampleWeights, exampleWeights, thesaurus)
    this.add(documents)
  }

  /** Reads what `save` wrote for the key; a text is the reason why it cannot be used. */
  static load(
    key: string,
    bytes: Uint8Array,
    thesaurus = englishThesaurus(),
  ): EmbeddedIndex | string {
    const content = decodeIndex(key, bytes)
    if (typeof content === "string") return content
    return EmbeddedIndex.of(content, thesaurus)
  }

  private static of({ batches, ids }: IndexContent, thesaurus: Thesaurus): EmbeddedIndex {
    const index = new EmbeddedIndex([], thesaurus)
    for (const [id, facets] of ids) index.ids.set(id, facets)
    const [documents, examples] = batches
    if (documents !== undefined) index.documents.add(documents)
    if (examples !== undefined) index.examples.add(examples)
    return index
  }

  /** The index as bytes; `key` says what it was built from. */
  save(key: string): Uint8Array {
    return encodeIndex(key, this.content())
  }

  /** An index with the same documents that changes by itself. */
  copy(): EmbeddedIndex {
    return EmbeddedIndex.of(this.content(), this.thesaurus)
  }

  private content(): IndexContent {
    return {
      ids: [...this.ids].map(([id, facets]) => (facets === undefined ? [id] : [id, facets])),
      batches: [this.documents.merged(), this.examples.merged()],
    }
  }

  get size(): number {
    return this.ids.size
  }

  /** Adds documents; a document with a known id replaces the previous one. */
  add(documents: ReadonlyArray<IndexDocument>): void {
    const byId = new Map(documents.map((document) => [document.id, document]))
    const added = [...byId.values()]
    // Before the previous ones are removed: a text that cannot be read leaves the index as it was.
    const texts = this.documents.batch(
      added.map((document) => ({ owner: document.id, texts: textsOf(document) })),
    )
    const examples = this.examples.batch(
      added.flatMap(({ examples: all = [], id }) =>
        all.map((text) => ({ owner: id, texts: [text] })),
      ),
    )
    this.remove([...byId.keys()])
    for (const [id, { facets }] of byId) this.ids.set(id, facets)
    this.documents.add(texts)
    this.examples.add(examples)
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
    { least = 0, limit = DEFAULT_LIMIT, where }: Partial<SearchOptions> = {},
    byVectors: ReadonlyArray<ScoredDocument> = [],
  ): ReadonlyArray<ScoredDocument> {
    const { documents, examples } = this
    const text = withinLength(query)
    const isAllowed = this.allowed(where)
    const ofWords = (part: string) => [
      documents.byWords(part, isAllowed),
      examples.byWords(part, isAllowed),
    ]
    const words = ofWords(text)
    const grams = [documents.byGrams(text, isAllowed), examples.byGrams(text, isAllowed)]
    const rankings: Array<Ranking> = [
      { ranked: joined(words), weight: 1 },
      { ranked: joined(grams), weight: GRAM_WEIGHT },
      { ranked: byVectors, weight: VECTOR_WEIGHT },
    ]
    const parts = clauses(text)
    // In a short text such as a clause, grams add little to words.
    if (parts.length > 1)
      for (const part of parts.slice(0, MAX_CLAUSES))
        rankings.push({ ranked: joined(ofWords(part)), weight: CLAUSE_WEIGHT })
    return nearness(fuse(rankings), words, grams, byVectors)
      .filter(({ score }) => score >= least)
      .slice(0, Math.max(0, limit))
  }
}

/** Of a longer text, its start and its end: a request stands before or after what it quotes. */
const withinLength = (text: string): string =>
  text.length <= MAX_QUERY_CHARS
    ? text
    : `${text.slice(0, MAX_QUERY_CHARS / 2)}\n${text.slice(-MAX_QUERY_CHARS / 2)}`

const joined = ([documents, examples]: ReadonlyArray<Match>): ReadonlyArray<ScoredDocument> =>
  addScaled(documents!.ranked, examples!.ranked, EXAMPLE_WEIGHT)

const hasFacets = (
  facets: IndexDocument["facets"],
  where: NonNullable<SearchOptions["where"]>,
): boolean =>
  Object.entries(where).every(([facet, values]) =>
    facets?.[facet]?.some((value) => values.includes(value)),
  )
