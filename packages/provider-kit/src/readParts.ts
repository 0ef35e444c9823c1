/** Reading a reply in pieces: what the service sends → the contract's parts, the finish last. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  MAX_REPLY_BYTES,
  ModelFailed,
  toFailureRecord,
  type ModelPart,
  type Usage,
} from "@planloom/plugin"
import { failureOf, tooLarge, unfinished, unreadable, type Trouble } from "./Trouble.ts"

/** Remembers what the pieces of one reply add up to. */
export interface PartReader<Piece> {
  /** The parts one piece completes, or what it says went wrong. */
  readonly read: (piece: Piece) => ReadonlyArray<ModelPart> | Trouble
  /** What is left at the end; undefined when the service stopped without finishing. */
  readonly end: () => ReadonlyArray<ModelPart> | Trouble | undefined
  /** The tokens the service has told so far. */
  readonly usage: () => Usage
  /** The service's own name of the request, once it is known. */
  readonly requestId: () => string | undefined
}

/**
 * A stream that breaks off without a finish fails as `unavailable`. Failures bear what the service had told by
 * then: its tokens and its name of the request.
 */
export const readParts = <Piece>(
  model: string,
  pieces: Stream.Stream<Piece, ModelFailed>,
  open: () => PartReader<Piece>,
  most = MAX_REPLY_BYTES,
): Stream.Stream<ModelPart, ModelFailed> =>
  Stream.suspend(() => {
    const reader = open()
    let bytes = 0
    const given = (parts: ReadonlyArray<ModelPart> | Trouble) => {
      if (isTrouble(parts)) return Stream.fail(failureOf(model, parts))
      for (const part of parts) if ("text" in part) bytes += Buffer.byteLength(part.text)
      return bytes > most
        ? Stream.fail(failureOf(model, tooLarge(most)))
        : Stream.fromIterable(parts)
    }
    return Stream.mapError(
      Stream.concat(
        Stream.flatMap(pieces, (piece) => given(readable(() => reader.read(piece)))),
        Stream.unwrap(Effect.sync(() => given(readable(() => reader.end() ?? unfinished)))),
      ),
      (failure) => withTold(failure, reader),
    )
  })

/** Whatever lies between a service and us may send what no reader expects. */
export const readable = <A>(read: () => A): A | Trouble => {
  try {
    return read()
  } catch {
    return unreadable
  }
}

const withTold = <Piece>(failure: ModelFailed, reader: PartReader<Piece>): ModelFailed => {
  const record = toFailureRecord(failure)
  const requestId = reader.requestId()
  return new ModelFailed({
    ...record,
    model: failure.model,
    ...(record.detail === undefined && requestId !== undefined ? { detail: { requestId } } : {}),
    ...usageOf(record.usage, reader.usage()),
  })
}

const usageOf = (usage: Usage | undefined, told: Usage): { readonly usage?: Usage } => {
  if (usage !== undefined && usage.estimated !== true) return { usage }
  return usage === undefined && told.input + told.output === 0
    ? {}
    : { usage: { ...told, estimated: true } }
}

export const isTrouble = <A>(value: ReadonlyArray<A> | Trouble): value is Trouble =>
  !Array.isArray(value)
