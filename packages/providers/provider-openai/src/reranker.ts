/** Reranker on any server with `/rerank`, as Cohere, Jina, vLLM and llama.cpp have it, or as Voyage has it. */
import * as Effect from "effect/Effect"
import { ModelFailed, type Reranked, type Reranker } from "@planloom/plugin/effect"
import {
  isProviderError,
  sendRequest,
  toModelFailed,
  tryRead,
  type ProviderError,
} from "@planloom/provider-kit"
import { clientFor, secretsOf } from "./client.ts"
import type { RerankOptions } from "./options.ts"
import { fromApiError } from "./toProviderError.ts"
import { requestOptions } from "./requestOptions.ts"

/** The answer of a service, of which nothing is certain. */
interface Answer {
  readonly error?: unknown
  /** Of Cohere's shape. */
  readonly results?: unknown
  /** Of Voyage's shape. */
  readonly data?: unknown
  readonly usage?: { readonly prompt_tokens?: unknown; readonly total_tokens?: unknown } | null
}

export const reranker = (options: RerankOptions | undefined): Reranker => {
  if (options === undefined) return unset
  const { api, model, server } = options
  const name = `${server.id}/${model}`
  const client = clientFor(server)
  return {
    id: "openai",
    summary: `Relevance of texts to a query by ${name}.`,
    model: name,
    rerank: (query, texts) =>
      Effect.flatMap(client(name), (createClient) =>
        sendRequest(requestOptions(server, model), (exchange) =>
          createClient(exchange).post<Answer>("/rerank", {
            body: { model, query, documents: texts, [shapes[api].most]: texts.length },
            signal: exchange.signal,
          }),
        ),
      ).pipe(
        Effect.flatMap((answer) => {
          const scores = tryRead(() => readScores(answer, shapes[api].results, texts.length))
          if (isProviderError(scores)) {
            return Effect.fail(toModelFailed(name, scores, secretsOf(server)))
          }
          const tokens = tokensOf(answer)
          return Effect.succeed<Reranked>(tokens === undefined ? { scores } : { scores, tokens })
        }),
      ),
  }
}

/** Names of the fields in which the shapes differ. */
const shapes = {
  cohere: { most: "top_n", results: "results" },
  voyage: { most: "top_k", results: "data" },
} as const

const unset: Reranker = {
  id: "openai",
  summary: "Relevance of texts to a query; its server and model are not set.",
  model: "openai/unset",
  rerank: () =>
    Effect.fail(
      new ModelFailed({
        class: "auth",
        model: "openai/unset",
        message: "no server is set: write `rerank` into the config of @planloom/provider-openai",
        unsent: true,
      }),
    ),
}

/** Reads the scores, or the error that some servers send with a success status. */
const readScores = (
  answer: Answer,
  field: "results" | "data",
  count: number,
): ReadonlyArray<number> | ProviderError => {
  const { error, [field]: results } = answer
  if (error !== undefined && error !== null) return fromApiError({ error })
  const scores = Array.isArray(results) ? scoresOf(results, count) : "no results"
  return typeof scores === "string"
    ? {
        class: "invalid_output",
        message: `the service returned ${scores}, not one score for each of ${count} documents`,
      }
    : scores
}

/** Not every server counts them. */
const tokensOf = ({ usage }: Answer): number | undefined => {
  const tokens = usage?.prompt_tokens ?? usage?.total_tokens
  return isCount(tokens) ? tokens : undefined
}

/** By document; in a few words what is wrong with them otherwise. */
const scoresOf = (
  results: ReadonlyArray<unknown>,
  count: number,
): ReadonlyArray<number> | string => {
  const scores = new Map<number, number>()
  for (const result of results) {
    const { index, relevance_score: score } = (result ?? {}) as { readonly [key: string]: unknown }
    if (!isCount(index) || index >= count) return "a result of no document"
    if (scores.has(index)) return `two results of the document ${index}`
    if (!Number.isFinite(score)) return "a score that is not a number"
    scores.set(index, score as number)
  }
  return scores.size === count
    ? Array.from({ length: count }, (_, at) => scores.get(at)!)
    : `${scores.size} results`
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0
