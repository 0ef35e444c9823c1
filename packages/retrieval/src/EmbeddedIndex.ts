/** The index itself: documents in, the nearest to a text out. Pure and synchronous; nothing leaves the process. */
import type { IndexDocument } from "@planloom/plugin"
import type { Near } from "./best.ts"
import { clauses } from "./clauses.ts"
import { Collection } from "./Collection.ts"
import { exampleWeights, gramWeights, textsOf, wordWeights } from "./Field.ts"
import { fuse, join, type Ranking } from "./fuse.ts"

/** Grams find more but are surer of less. */
const GRAMS = 0.5

/** What one clause of a request wants, beside the request as a whole. */
const CLAUSE = 0.3

/** Enough to find a tool by how people ask for it, not so much that tools without examples are drowned. */
const EXAMPLES = 0.5

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

  /** Adds documents. One whose id is known takes the place of the one before. */
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

  /** Removes documents; ids it does not know are no matter. */
  remove(ids: ReadonlyArray<string>): void {
    const known = new Set(ids.filter((id) => this.ids.delete(id)))
    if (known.size === 0) return
    this.documents.remove(known)
    this.examples.remove(known)
  }

  /**
   * The documents nearest to a text, best first, at most `limit` of them; those that share nothing with it
   * are left out. Scores compare within one answer only.
   */
  search(query: string, limit: number): ReadonlyArray<Near> {
    const { documents, examples } = this
    const byWords = (text: string) =>
      join(documents.byWords(text), examples.byWords(text), EXAMPLES)
    const byGrams = (text: string) =>
      join(documents.byGrams(text), examples.byGrams(text), EXAMPLES)
    const rankings: Array<Ranking> = [
      { ranked: byWords(query), weight: 1 },
      { ranked: byGrams(query), weight: GRAMS },
    ]
    const parts = clauses(query)
    // A clause is short, and in a short text grams say little that words do not.
    if (parts.length > 1)
      for (const part of parts) rankings.push({ ranked: byWords(part), weight: CLAUSE })
    return fuse(rankings).slice(0, Math.max(0, limit))
  }
}
