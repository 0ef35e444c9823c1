/** Model providers, embedders and rerankers in promise style. */
import * as Effect from "effect/Effect"
import type {
  Embedded,
  Embedder as EffectEmbedder,
  ModelPart,
  ModelReply,
  ModelRequest,
  Provider as EffectProvider,
  Reranked,
  Reranker as EffectReranker,
} from "../component/Model.ts"
import type { CallSignal } from "./Async.ts"
import { fromAsync } from "./fromAsync.ts"
import { streamed } from "./streamed.ts"
import { modelFailure } from "./Thrown.ts"

type Reply = Omit<ModelReply, "model">

/**
 * A model provider. Implement `generate`, `stream`, or both. Throw `ModelFailed`, and do not retry. Each call is one
 * request: only a provider in Effect style continues paused replies.
 */
export interface Provider extends Omit<
  EffectProvider,
  "available" | "lists" | "warm" | "continues" | "generate" | "stream"
> {
  /** Whether it is available, for `doctor` and `otherwise:`; if not, the reason. */
  readonly available?: () => true | string | PromiseLike<true | string>
  /** Whether its service lists this model, asked before a swap to it; if not, the reason. A service without a list comes to true. */
  readonly lists?: (model: string) => true | string | PromiseLike<true | string>
  /** Loads a model before its first request. Only for self-hosted servers, where that costs nothing. */
  readonly warm?: (model: string, call: CallSignal) => void | PromiseLike<void>
  readonly generate?: (request: ModelRequest, call: CallSignal) => Reply | PromiseLike<Reply>
  readonly stream?: (request: ModelRequest, call: CallSignal) => AsyncIterable<ModelPart>
}

/** Declares a model provider. */
export const provider = (one: Provider): EffectProvider => {
  const { available, generate, lists, stream, warm, ...described } = one
  return {
    ...described,
    ...(available === undefined ? {} : { available: fromAsync(available, Effect.die) }),
    ...(lists === undefined
      ? {}
      : { lists: (model: string) => fromAsync(() => lists(model), Effect.die) }),
    ...(warm === undefined
      ? {}
      : { warm: (model: string) => fromAsync((call) => warm(model, call), modelFailure(model)) }),
    ...(generate === undefined
      ? {}
      : {
          generate: (request: ModelRequest) =>
            fromAsync(
              (call) => generate(request, call),
              modelFailure(`${one.id}/${request.model}`),
            ),
        }),
    ...(stream === undefined
      ? {}
      : {
          stream: (request: ModelRequest) =>
            streamed((call) => stream(request, call), modelFailure(`${one.id}/${request.model}`)),
        }),
  }
}

/** Turns texts into vectors, all of one length. Throw `ModelFailed`, and do not retry. */
export interface Embedder extends Omit<EffectEmbedder, "embed"> {
  /** Sends as many requests as the service's limit of texts demands. */
  readonly embed: (
    texts: ReadonlyArray<string>,
    call: CallSignal,
  ) => Embedded | PromiseLike<Embedded>
}

/** Declares an embedder. */
export const embedder = (one: Embedder): EffectEmbedder => ({
  ...one,
  embed: (texts) => fromAsync((call) => one.embed(texts, call), modelFailure(one.model)),
})

/** Scores texts by their relevance to a query. Throw `ModelFailed`, and do not retry. */
export interface Reranker extends Omit<EffectReranker, "rerank"> {
  readonly rerank: (
    query: string,
    texts: ReadonlyArray<string>,
    call: CallSignal,
  ) => Reranked | PromiseLike<Reranked>
}

/** Declares a reranker. */
export const reranker = (one: Reranker): EffectReranker => ({
  ...one,
  rerank: (query, texts) =>
    fromAsync((call) => one.rerank(query, texts, call), modelFailure(one.model)),
})
