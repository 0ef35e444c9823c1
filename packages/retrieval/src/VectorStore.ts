/** Vectors of documents, exact: ranks documents by the angle between a query and the nearest of their texts. */
import type { EmbedTexts, IndexDocument } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Allowed } from "./Collection.ts"
import { compareScores, type ScoredDocument } from "./selectTop.ts"

/** Length of a piece of text: embedding models blur long texts, and small ones cut them. */
const PIECE_CHARS = 1600

/** Pieces of one document that are embedded. */
const MAX_PIECES = 16

/** Documents that a query finds. */
const MAX_CANDIDATES = 100

export class VectorStore {
  private readonly embed: EmbedTexts
  private readonly texts = new Map<string, ReadonlyArray<string>>()
  private readonly vectors = new Map<string, ReadonlyArray<Float32Array>>()

  constructor(embed: EmbedTexts) {
    this.embed = embed
  }

  add(documents: ReadonlyArray<IndexDocument>): void {
    for (const document of documents) {
      this.texts.set(document.id, textsToEmbed(document))
      this.vectors.delete(document.id)
    }
  }

  remove(ids: ReadonlyArray<string>): void {
    for (const id of ids) {
      this.texts.delete(id)
      this.vectors.delete(id)
    }
  }

  /**
   * The documents nearest to each query: scores are cosines above 0, best first. Embeds all queries and new documents
   * together; undefined without vectors.
   */
  nearest(
    queries: ReadonlyArray<string>,
    isAllowed: Allowed,
  ): Effect.Effect<ReadonlyArray<ReadonlyArray<ScoredDocument>> | undefined> {
    return Effect.suspend(() => {
      const asked = [...new Set(queries)].filter((query) => query.trim() !== "")
      if (asked.length === 0 || this.texts.size === 0) return Effect.succeed(queries.map(() => []))
      const pending = [...this.texts].filter(([id]) => !this.vectors.has(id))
      const wanted = [...asked, ...pending.flatMap(([, texts]) => texts)]
      return Effect.map(this.embed(wanted), (vectors) => {
        if (vectors === undefined) return undefined
        let at = asked.length
        for (const [id, texts] of pending) {
          this.vectors.set(id, vectors.slice(at, at + texts.length))
          at += texts.length
        }
        return queries.map((query) => {
          const vector = vectors[asked.indexOf(query)]
          return vector === undefined ? [] : this.ranked(vector, isAllowed)
        })
      })
    })
  }

  private ranked(query: Float32Array, isAllowed: Allowed): ReadonlyArray<ScoredDocument> {
    const found: Array<ScoredDocument> = []
    for (const [id, vectors] of this.vectors) {
      if (isAllowed?.(id) === false) continue
      let score = 0
      for (const vector of vectors) score = Math.max(score, dot(query, vector))
      if (score > 0) found.push({ id, score })
    }
    return found.sort(compareScores).slice(0, MAX_CANDIDATES)
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

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum
}
