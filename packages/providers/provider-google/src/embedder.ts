/** Embedder on Gemini's embedding models. */
import * as Effect from "effect/Effect"
import type { Embedder } from "@planloom/plugin/effect"
import {
  sendRequest,
  embedInBatches,
  toModelFailed,
  isProviderError,
  tryRead,
} from "@planloom/provider-kit"
import { clientFor } from "./client.ts"
import type { GoogleOptions } from "./options.ts"
import { toProviderError } from "./toProviderError.ts"

/** The service's limit of texts per request. */
const BATCH = 100

export const embedder = (options: GoogleOptions): Embedder => {
  const { key } = options
  const { dimensions, model } = options.embeddings
  const name = `google/${model}`
  const client = clientFor(options)
  const request = (texts: ReadonlyArray<string>) =>
    Effect.flatMap(client(name), ({ models }) =>
      sendRequest(
        {
          model: name,
          limits: options.limits,
          toProviderError,
          secrets: key.value === undefined ? [] : [key.value],
          key: key.name,
        },
        (exchange) =>
          models.embedContent({
            model,
            contents: [...texts],
            config: {
              outputDimensionality: dimensions,
              abortSignal: exchange.signal,
              httpOptions: { fetch: exchange.fetch },
            },
          }),
      ),
    ).pipe(
      Effect.flatMap(({ embeddings }) => {
        const vectors = tryRead(() =>
          (embeddings ?? []).map(({ values }) => normalize(Float32Array.from(values ?? []))),
        )
        return isProviderError(vectors)
          ? Effect.fail(toModelFailed(name, vectors))
          : Effect.succeed({ vectors })
      }),
    )
  return {
    id: "google",
    summary: `Vectors of ${dimensions} numbers from ${model}.`,
    model: name,
    dimensions,
    embed: embedInBatches({ name, dimensions, batch: BATCH, request }),
  }
}

/** Scales a vector to length 1: the service does so only for its largest dimension. */
const normalize = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}
