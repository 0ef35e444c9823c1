/** Embeds texts through a service that limits texts per request, and checks every vector it returns. */
import * as Effect from "effect/Effect"
import { ModelFailed, type Embedded, type Embedder } from "@planloom/plugin/effect"

export interface EmbeddingService {
  /** `provider/model`, for failures. */
  readonly name: string
  readonly dimensions: number
  /** Texts per request. */
  readonly batch: number
  /** Sends one request. */
  readonly request: (texts: ReadonlyArray<string>) => Effect.Effect<Embedded, ModelFailed>
}

/** Requests one batch after the other; fails with `invalid_output` if vectors are missing or have the wrong length. */
export const embedInBatches =
  ({ batch, dimensions, name, request }: EmbeddingService): Embedder["embed"] =>
  (texts) =>
    Effect.map(
      Effect.forEach(batchesOf(texts, batch), (some) =>
        Effect.flatMap(request(some), (embedded) => {
          const mismatch = mismatchIn(embedded.vectors, some.length, dimensions)
          return mismatch === undefined
            ? Effect.succeed(embedded)
            : Effect.fail(
                new ModelFailed({
                  class: "invalid_output",
                  model: name,
                  message: `the service returned ${mismatch}, not ${some.length} of ${dimensions} numbers`,
                }),
              )
        }),
      ),
      (batches): Embedded => {
        const tokens = batches.map((one) => one.tokens)
        return {
          vectors: batches.flatMap(({ vectors }) => vectors),
          ...(tokens.every((count) => count !== undefined)
            ? { tokens: tokens.reduce((sum, count) => sum + count, 0) }
            : {}),
        }
      },
    )

/** How the vectors differ from the request, in a few words; undefined if they match. */
const mismatchIn = (
  vectors: ReadonlyArray<Float32Array>,
  count: number,
  dimensions: number,
): string | undefined => {
  if (vectors.length !== count) return `${vectors.length} vectors`
  const other = vectors.find(({ length }) => length !== dimensions)
  if (other !== undefined) return `vectors of ${other.length} numbers`
  return vectors.some((vector) => !vector.every(Number.isFinite))
    ? "vectors with values that are not numbers"
    : undefined
}

const batchesOf = (
  texts: ReadonlyArray<string>,
  batch: number,
): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(texts.length / batch) }, (_, index) =>
    texts.slice(index * batch, (index + 1) * batch),
  )
