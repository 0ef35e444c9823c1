/** Vectors of documents: embeds their texts with the first search, and ranks documents by the nearest of them. */
import type { EmbedTexts, IndexDocument } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Allowed } from "./Collection.ts"
import type { VectorFile } from "./VectorFile.ts"
import type { ScoredDocument } from "./selectTop.ts"
import type { VectorRanking } from "./VectorRanking.ts"

/** Length of a piece of text: embedding models blur long texts, and small ones cut them. */
const PIECE_CHARS = 1600

/** Pieces of one document that are embedded. */
const MAX_PIECES = 16

/** Documents that a query finds. */
const MAX_CANDIDATES = 100

export class VectorStore {
  private readonly embed: EmbedTexts
  private readonly texts = new Map<string, ReadonlyArray<string>>()
  /** Documents whose texts have their vectors in the ranking. */
  private readonly ranked = new Set<string>()
  private readonly ranking: VectorRanking
  private readonly file: VectorFile | undefined

  /** A file keeps the vectors of documents. */
  constructor(embed: EmbedTexts, ranking: VectorRanking, file?: VectorFile) {
    this.embed = embed
    this.ranking = ranking
    this.file = file
  }

  add(documents: ReadonlyArray<IndexDocument>): void {
    for (const document of documents) {
      this.texts.set(document.id, textsToEmbed(document))
      this.forget(document.id)
    }
  }

  remove(ids: ReadonlyArray<string>): void {
    for (const id of ids) {
      this.texts.delete(id)
      this.forget(id)
    }
  }

  private forget(id: string): void {
    if (this.ranked.delete(id)) this.ranking.remove(id)
  }

  /**
   * The documents nearest to each query: scores are cosines above 0, best first. Embeds all queries and new documents
   * together; undefined without vectors.
   */
  nearest(
    queries: ReadonlyArray<string>,
    isAllowed: Allowed,
  ): Effect.Effect<ReadonlyArray<ReadonlyArray<ScoredDocument>> | undefined> {
    return Effect.gen({ self: this }, function* () {
      const asked = [...new Set(queries)].filter((query) => query.trim() !== "")
      if (asked.length === 0 || this.texts.size === 0) return queries.map(() => [])
      const pending = [...this.texts].filter(([id]) => !this.ranked.has(id))
      const wanted = [...new Set(pending.flatMap(([, texts]) => texts))]
      const known = new Map(this.file && wanted.length > 0 ? yield* this.file.known(wanted) : [])
      const missing = wanted.filter((text) => !known.has(text))
      const vectors = yield* this.embed([...asked, ...missing])
      if (vectors === undefined) return undefined
      const added = new Map(missing.map((text, at) => [text, vectors[asked.length + at]!]))
      if (this.file !== undefined && added.size > 0) yield* this.file.add(added)
      for (const [id, texts] of pending) {
        this.ranked.add(id)
        this.ranking.put(
          id,
          texts.map((text) => (known.get(text) ?? added.get(text))!),
        )
      }
      return queries.map((query) => {
        const vector = vectors[asked.indexOf(query)]
        return vector === undefined ? [] : this.ranking.nearest(vector, isAllowed, MAX_CANDIDATES)
      })
    })
  }
}

/** The document's own text in pieces, then its examples. */
const textsToEmbed = ({ examples = [], fields }: IndexDocument): ReadonlyArray<string> => {
  const own = Object.values(fields)
    .filter((text) => text.trim() !== "")
    .join("\n")
  const pieces: Array<string> = []
  for (let from = 0; from < own.length && pieces.length < MAX_PIECES; from += PIECE_CHARS)
    pieces.push(own.slice(from, from + PIECE_CHARS))
  return [...pieces, ...examples].filter((text) => text.trim() !== "")
}
