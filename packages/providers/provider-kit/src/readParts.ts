/** Converts a service's streamed chunks to the contract's parts, the finish last. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  MAX_REPLY_BYTES,
  ModelFailed,
  toFailureRecord,
  type ModelPart,
  type Usage,
} from "@planloom/plugin/effect"
import {
  replyTooLarge,
  toModelFailed,
  unfinishedReply,
  unreadableReply,
  type ProviderError,
} from "./ProviderError.ts"

/** Reads the chunks of one reply and keeps the state between them. */
export interface PartReader<Chunk> {
  /** The parts that a chunk completes, or the error it reports. */
  readonly read: (chunk: Chunk) => ReadonlyArray<ModelPart> | ProviderError
  /** The remaining parts at the end of the stream; undefined if the service stopped without a finish. */
  readonly end: () => ReadonlyArray<ModelPart> | ProviderError | undefined
  /** The tokens reported so far. */
  readonly usage: () => Usage
  /** The service's id of the request, once known. */
  readonly requestId: () => string | undefined
}

/**
 * Reads a stream of chunks. A stream that ends without a finish fails with `unavailable`. Every failure carries the
 * tokens and the request id that the service had reported so far.
 */
export const readParts = <Chunk>(
  model: string,
  chunks: Stream.Stream<Chunk, ModelFailed>,
  open: () => PartReader<Chunk>,
  maxReplyBytes = MAX_REPLY_BYTES,
): Stream.Stream<ModelPart, ModelFailed> =>
  Stream.suspend(() => {
    const reader = open()
    let bytes = 0
    const emit = (parts: ReadonlyArray<ModelPart> | ProviderError) => {
      if (isProviderError(parts)) return Stream.fail(toModelFailed(model, parts))
      for (const part of parts) if ("text" in part) bytes += Buffer.byteLength(part.text)
      return bytes > maxReplyBytes
        ? Stream.fail(toModelFailed(model, replyTooLarge(maxReplyBytes)))
        : Stream.fromIterable(parts)
    }
    return Stream.mapError(
      Stream.concat(
        Stream.flatMap(chunks, (chunk) => emit(tryRead(() => reader.read(chunk)))),
        Stream.unwrap(Effect.sync(() => emit(tryRead(() => reader.end() ?? unfinishedReply)))),
      ),
      (failure) => withReported(failure, reader),
    )
  })

/** Converts an exception of a reader to `unreadableReply`: proxies may send chunks of any shape. */
export const tryRead = <A>(read: () => A): A | ProviderError => {
  try {
    return read()
  } catch {
    return unreadableReply
  }
}

/** Adds the tokens and the request id that the reader has seen. */
export const withReported = <Chunk>(
  failure: ModelFailed,
  reader: PartReader<Chunk>,
): ModelFailed => {
  const record = toFailureRecord(failure)
  const requestId = reader.requestId()
  return new ModelFailed({
    ...record,
    model: failure.model,
    ...(record.detail === undefined && requestId !== undefined ? { detail: { requestId } } : {}),
    ...usageOf(record.usage, reader.usage()),
  })
}

const usageOf = (usage: Usage | undefined, reported: Usage): { readonly usage?: Usage } => {
  if (usage !== undefined && usage.estimated !== true) return { usage }
  return usage === undefined && reported.input + reported.output === 0
    ? {}
    : { usage: { ...reported, estimated: true } }
}

export const isProviderError = <A>(
  value: ReadonlyArray<A> | ProviderError,
): value is ProviderError => !Array.isArray(value)
