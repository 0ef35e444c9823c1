/** Hybrid search index over documents: in memory, synchronous, without network. */
import type { IndexDocument } from "@planloom/plugin"
import type { ScoredDocument } from "./selectTop.ts"
import { clauses } from "./clauses.ts"
import { Collection } from "./Collection.ts"
import { exampleWeights, gramWeights, textsOf, wordWeights } from "./Field.ts"
import { addScaled, fuse, type Ranking } from "./fuse.ts"

/** Grams have higher recall but lower precision than words. */
const GRAM_WEIGHT = 0.5

/** Weight of one clause relative to the whole request. */
const CLAUSE_WEIGHT = 0.3

/** Finds tools by example requests without burying tools that have no examples. */
const EXAMPLE_WEIGHT = 0.5

export class EmbeddedIndex {
  private readonly ids = new Set<string>()
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
    for (const id of byId.keys()) this.ids.add(id)
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

  /**
   * Returns at most `limit` documents, best match first, without those that share no term with the query. Scores are
   * comparable within one result only.
   */
  search(query: string, limit: number): ReadonlyArray<ScoredDocument> {
    const { documents, examples } = this
    const byWords = (text: string) =>
      addScaled(documents.byWords(text), examples.byWords(text), EXAMPLE_WEIGHT)
    const byGrams = (text: string) =>
      addScaled(documents.byGrams(text), examples.byGrams(text), EXAMPLE_WEIGHT)
    const rankings: Array<Ranking> = [
      { ranked: byWords(query), weight: 1 },
      { ranked: byGrams(query), weight: GRAM_WEIGHT },
    ]
    const parts = clauses(query)
    // In a short text such as a clause, grams add little to words.
    if (parts.length > 1)
      for (const part of parts) rankings.push({ ranked: byWords(part), weight: CLAUSE_WEIGHT })
    return fuse(rankings).slice(0, Math.max(0, limit))
  }
}
