/** Texts → vectors by a service that takes only so many texts at once, each answer held to what was promised. */
import * as Effect from "effect/Effect"
import { ModelFailed, type Embedder } from "@planloom/plugin"

export interface Embedding {
  /** `provider/model`, for failures. */
  readonly name: string
  readonly dimensions: number
  /** Texts per request. */
  readonly batch: number
  /** One request: the vectors of these texts, in order. */
  readonly ask: (
    texts: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<Float32Array>, ModelFailed>
}

/** Asks batch after batch; fails with `invalid_output` when vectors are missing or of another length. */
export const embedIn =
  ({ ask, batch, dimensions, name }: Embedding): Embedder["embed"] =>
  (texts) =>
    Effect.map(
      Effect.forEach(batchesOf(texts, batch), (some) =>
        Effect.flatMap(ask(some), (vectors) => {
          const wrong = wrongIn(vectors, some.length, dimensions)
          return wrong === undefined
            ? Effect.succeed(vectors)
            : Effect.fail(
                new ModelFailed({
                  class: "invalid_output",
                  model: name,
                  message: `the service gave ${wrong}, not ${some.length} of ${dimensions} numbers`,
                }),
              )
        }),
      ),
      (answers) => answers.flat(),
    )

/** In a few words; undefined where nothing is. */
const wrongIn = (
  vectors: ReadonlyArray<Float32Array>,
  count: number,
  dimensions: number,
): string | undefined => {
  if (vectors.length !== count) return `${vectors.length} vectors`
  const other = vectors.find(({ length }) => length !== dimensions)
  if (other !== undefined) return `vectors of ${other.length} numbers`
  return vectors.some((vector) => !vector.every(Number.isFinite))
    ? "vectors that are not all numbers"
    : undefined
}

const batchesOf = (
  texts: ReadonlyArray<string>,
  batch: number,
): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(texts.length / batch) }, (_, index) =>
    texts.slice(index * batch, (index + 1) * batch),
  )
