/** Model providers and embedders in promise style. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ModelFailed } from "../Failure.ts"
import type {
  Embedded,
  Embedder as EffectEmbedder,
  ModelPart,
  ModelReply,
  ModelRequest,
  Provider as EffectProvider,
} from "../Model.ts"
import type { CallSignal } from "./Async.ts"
import { fromAsync } from "./fromAsync.ts"
import { modelFailure, type Thrown } from "./Thrown.ts"

type Reply = Omit<ModelReply, "model">

/** A model provider. Implement `generate`, `stream`, or both. Throw `ModelFailed`, and do not retry. */
export interface Provider extends Omit<
  EffectProvider,
  "available" | "warm" | "generate" | "stream"
> {
  /** Whether it is available, for `doctor` and `otherwise:`; if not, the reason. */
  readonly available?: () => true | string | PromiseLike<true | string>
  /** Loads a model before its first request. Only for self-hosted servers, where that costs nothing. */
  readonly warm?: (model: string, call: CallSignal) => void | PromiseLike<void>
  readonly generate?: (request: ModelRequest, call: CallSignal) => Reply | PromiseLike<Reply>
  readonly stream?: (request: ModelRequest, call: CallSignal) => AsyncIterable<ModelPart>
}

/** Declares a model provider. */
export const provider = (one: Provider): EffectProvider => {
  const { available, generate, stream, warm, ...described } = one
  return {
    ...described,
    ...(available === undefined ? {} : { available: fromAsync(available, Effect.die) }),
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
            streamed(stream, request, modelFailure(`${one.id}/${request.model}`)),
        }),
  }
}

/** Ends the iteration and aborts its signal when the stream is no longer read. */
const streamed = (
  stream: NonNullable<Provider["stream"]>,
  request: ModelRequest,
  thrown: Thrown<ModelFailed>,
): Stream.Stream<ModelPart, ModelFailed> =>
  Stream.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new AbortController()),
        (controller) => Effect.sync(() => controller.abort()),
      ),
      ({ signal }) =>
        Stream.catch(
          Stream.suspend(() =>
            Stream.fromAsyncIterable(stream(request, { signal }), (error) => error),
          ),
          (error) => Stream.fromEffect(thrown(error)),
        ),
    ),
  )

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
