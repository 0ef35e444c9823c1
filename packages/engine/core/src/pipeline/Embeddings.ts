/** Vectors of texts by the workflow's embedder: each text is sent once, and a search that gets none goes by words alone. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { ModelFailed, type Embedder, type EmbedTexts } from "@planloom/plugin/effect"
import { SearchCalls } from "./SearchCalls.ts"

/** Vectors kept for one workflow: some 300 MB of 1536 numbers each. */
const MAX_VECTORS = 50_000

export class Embeddings {
  /** For events, prices and budgets. */
  readonly model: string
  private readonly embedder: Embedder
  private readonly kept: number
  private readonly vectors = new Map<string, Float32Array>()
  /** Held while documents are sent, so that searches at the same time wait for them instead of sending them again. */
  private readonly sending = Semaphore.makeUnsafe(1)
  private readonly calls: SearchCalls

  /** `kept` is the most vectors in memory. */
  constructor(embedder: Embedder, kept = MAX_VECTORS) {
    this.embedder = embedder
    this.kept = kept
    this.model = embedder.model
    this.calls = new SearchCalls(embedder.model, "vectors")
  }

  /** Vectors of length 1, in the order of the texts; undefined when the search has to go by words alone. */
  readonly embed: EmbedTexts = (texts) =>
    Effect.suspend(() =>
      this.missingIn(texts).length > 1
        ? this.sending.withPermits(1)(this.send(texts))
        : this.send(texts),
    )

  private missingIn(texts: ReadonlyArray<string>): ReadonlyArray<string> {
    return [...new Set(texts)].filter((text) => !this.vectors.has(text))
  }

  private readonly send: EmbedTexts = (texts) =>
    Effect.suspend(() => {
      const missing = this.missingIn(texts)
      const found = new Map(texts.map((text) => [text, this.vectors.get(text)]))
      const all = () => texts.map((text) => found.get(text)!)
      if (missing.length === 0) return Effect.succeed(all())
      const call = Effect.suspend(() =>
        Effect.flatMap(this.embedder.embed(missing), this.checked(missing)),
      )
      return Effect.map(this.calls.make(missing, call), (given) => {
        if (given === undefined) return undefined
        missing.forEach((text, at) => found.set(text, unit(given.vectors[at]!)))
        for (const text of missing) this.keep(text, found.get(text)!)
        return all()
      })
    })

  private checked(texts: ReadonlyArray<string>) {
    return <A extends { readonly vectors: ReadonlyArray<Float32Array> }>(given: A) =>
      given.vectors.length === texts.length &&
      given.vectors.every(
        (vector) =>
          vector.length === this.embedder.dimensions &&
          vector.every((value) => Number.isFinite(value)),
      )
        ? Effect.succeed(given)
        : Effect.fail(
            new ModelFailed({
              class: "invalid_output",
              model: this.model,
              message: `the embedder "${this.embedder.id}" returned ${given.vectors.length} vectors for ${texts.length} texts, or vectors that are not ${this.embedder.dimensions} numbers`,
            }),
          )
  }

  /** Drops the oldest vectors beyond the limit. */
  private keep(text: string, vector: Float32Array): void {
    this.vectors.set(text, vector)
    if (this.vectors.size > this.kept) this.vectors.delete(this.vectors.keys().next().value!)
  }
}

const unit = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}
