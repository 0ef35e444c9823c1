/** Embedder on any server with OpenAI's protocol. */
import type { CreateEmbeddingResponse } from "openai/resources/embeddings"
import * as Effect from "effect/Effect"
import type { Embedder } from "@planloom/plugin/effect"
import {
  sendRequest,
  embedInBatches,
  toModelFailed,
  isProviderError,
  tryRead,
  type ProviderError,
} from "@planloom/provider-kit"
import { clientFor, secretsOf } from "./client.ts"
import type { EmbeddingOptions } from "./options.ts"
import { fromApiError } from "./toProviderError.ts"
import { requestOptions } from "./requestOptions.ts"

/** Reads the vectors, or the error that some servers send with a success status. */
const vectorsOf = (
  answer: CreateEmbeddingResponse & { readonly error?: unknown },
): ReadonlyArray<Float32Array> | ProviderError =>
  answer.error !== undefined && answer.error !== null
    ? fromApiError({ error: answer.error })
    : answer.data
        .toSorted((a, b) => a.index - b.index)
        .map(({ embedding }) => Float32Array.from(embedding))

/** Not every server counts them. */
const tokensOf = (answer: CreateEmbeddingResponse): number | undefined =>
  (answer.usage as Partial<CreateEmbeddingResponse.Usage> | null | undefined)?.prompt_tokens

/** Texts per request. OpenAI accepts 2048; local servers fail far earlier. */
const BATCH = 256

export const embedder = ({ dimensions, model, server, shorten }: EmbeddingOptions): Embedder => {
  const name = `${server.id}/${model}`
  const client = clientFor(server)
  const request = (texts: ReadonlyArray<string>) =>
    Effect.flatMap(client(name), (createClient) =>
      sendRequest(requestOptions(server, model), (exchange) =>
        createClient(exchange).embeddings.create(
          {
            model,
            input: [...texts],
            // The SDK's default is base64, which not every server supports.
            encoding_format: "float",
            ...(shorten ? { dimensions } : {}),
          },
          { signal: exchange.signal },
        ),
      ),
    ).pipe(
      Effect.flatMap((answer) => {
        const vectors = tryRead(() => vectorsOf(answer))
        if (isProviderError(vectors)) {
          return Effect.fail(toModelFailed(name, vectors, secretsOf(server)))
        }
        const tokens = tokensOf(answer)
        return Effect.succeed(tokens === undefined ? { vectors } : { vectors, tokens })
      }),
    )
  return {
    id: "openai",
    summary: `Vectors of ${dimensions} numbers from ${name}.`,
    model: name,
    dimensions,
    embed: embedInBatches({ name, dimensions, batch: BATCH, request }),
  }
}
