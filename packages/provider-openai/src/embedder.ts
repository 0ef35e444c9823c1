/** Vectors from any server that speaks OpenAI's protocol. */
import type { CreateEmbeddingResponse } from "openai/resources/embeddings"
import * as Effect from "effect/Effect"
import type { Embedder } from "@planloom/plugin"
import {
  askWhole,
  embedIn,
  failureOf,
  isTrouble,
  readable,
  type Trouble,
} from "@planloom/provider-kit"
import { clientFor, keyOf, secretsOf } from "./client.ts"
import type { EmbeddingOptions } from "./options.ts"
import { troubleFor, troubleOf } from "./toTrouble.ts"

/** Some servers tell errors in answers that claim to be well. */
const vectorsOf = (
  answer: CreateEmbeddingResponse & { readonly error?: unknown },
): ReadonlyArray<Float32Array> | Trouble =>
  answer.error !== undefined && answer.error !== null
    ? troubleOf({ error: answer.error })
    : answer.data
        .toSorted((a, b) => a.index - b.index)
        .map(({ embedding }) => Float32Array.from(embedding))

/** OpenAI takes 2048 texts at once; local servers choke long before. */
const BATCH = 256

export const embedder = ({ dimensions, model, server, shorten }: EmbeddingOptions): Embedder => {
  const name = `${server.id}/${model}`
  const client = clientFor(server)
  const ask = (texts: ReadonlyArray<string>) =>
    Effect.flatMap(client(name), (begin) =>
      askWhole(
        {
          model: name,
          limits: server.limits,
          trouble: troubleFor(server, model),
          secrets: secretsOf(server),
          ...keyOf(server),
        },
        (wire) =>
          begin(wire).embeddings.create(
            {
              model,
              input: [...texts],
              // The SDK would ask for base64, which not every server knows.
              encoding_format: "float",
              ...(shorten ? { dimensions } : {}),
            },
            { signal: wire.signal },
          ),
      ),
    ).pipe(
      Effect.flatMap((answer) => {
        const vectors = readable(() => vectorsOf(answer))
        return isTrouble(vectors)
          ? Effect.fail(failureOf(name, vectors, secretsOf(server)))
          : Effect.succeed(vectors)
      }),
    )
  return {
    id: "openai",
    summary: `Vectors of ${dimensions} numbers from ${name}.`,
    dimensions,
    embed: embedIn({ name, dimensions, batch: BATCH, ask }),
  }
}
