/** Vectors from Gemini's embedding models. */
import * as Effect from "effect/Effect"
import type { Embedder } from "@planloom/plugin"
import { askWhole, embedIn, failureOf, isTrouble, readable } from "@planloom/provider-kit"
import { clientFor } from "./client.ts"
import type { GoogleOptions } from "./options.ts"
import { toTrouble } from "./toTrouble.ts"

/** The service takes no more texts than this at once. */
const BATCH = 100

export const embedder = (options: GoogleOptions): Embedder => {
  const { key } = options
  const { dimensions, model } = options.embeddings
  const name = `google/${model}`
  const client = clientFor(options)
  const ask = (texts: ReadonlyArray<string>) =>
    Effect.flatMap(client(name), ({ models }) =>
      askWhole(
        {
          model: name,
          limits: options.limits,
          trouble: toTrouble,
          secrets: key.value === undefined ? [] : [key.value],
          key: key.name,
        },
        (wire) =>
          models.embedContent({
            model,
            contents: [...texts],
            config: {
              outputDimensionality: dimensions,
              abortSignal: wire.signal,
              httpOptions: { fetch: wire.fetch },
            },
          }),
      ),
    ).pipe(
      Effect.flatMap(({ embeddings }) => {
        const vectors = readable(() =>
          (embeddings ?? []).map(({ values }) => unit(Float32Array.from(values ?? []))),
        )
        return isTrouble(vectors) ? Effect.fail(failureOf(name, vectors)) : Effect.succeed(vectors)
      }),
    )
  return {
    id: "google",
    summary: `Vectors of ${dimensions} numbers from ${model}.`,
    dimensions,
    embed: embedIn({ name, dimensions, batch: BATCH, ask }),
  }
}

/** The service gives vectors of length 1 for its largest dimension only. */
const unit = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}
