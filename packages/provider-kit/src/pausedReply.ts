/** Continues replies that a service pauses: the further requests of one turn. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ModelFailed, ModelPart, ModelReply } from "@planloom/plugin/effect"
import { toModelFailed } from "./ProviderError.ts"
import { isProviderError, tryRead, withReported, type PartReader } from "./readParts.ts"
import { endWholeReply } from "./readWholeReply.ts"

/** Requests that continue one reply, besides the first. */
const MAX_CONTINUATIONS = 4

/** Reads a turn of several requests; `State` is what a service needs to continue it. */
export interface TurnReader<Chunk, State> extends PartReader<Chunk> {
  /** Begins to read the next request of the turn; undefined unless the service has paused and can continue. */
  readonly resume: () => State | undefined
}

/** The chunks of a streamed turn; read each of them before the next is pulled. */
export const chunksOfTurn = <Chunk, State>(
  send: (paused: State | undefined) => Stream.Stream<Chunk, ModelFailed>,
  { resume }: TurnReader<Chunk, State>,
): Stream.Stream<Chunk, ModelFailed> => {
  const from = (paused: State | undefined, left: number): Stream.Stream<Chunk, ModelFailed> =>
    Stream.concat(
      send(paused),
      Stream.suspend(() => {
        const next = left > 0 ? resume() : undefined
        return next === undefined ? Stream.empty : from(next, left - 1)
      }),
    )
  return from(undefined, MAX_CONTINUATIONS)
}

/** Reads a turn whose replies are not streamed: each has the shape of one chunk. */
export const readWholeTurn = <Chunk, State>(
  model: string,
  send: (paused: State | undefined) => Effect.Effect<Chunk, ModelFailed>,
  reader: TurnReader<Chunk, State>,
): Effect.Effect<Omit<ModelReply, "model">, ModelFailed> => {
  const parts: Array<ModelPart> = []
  const from = (paused: State | undefined, left: number): Effect.Effect<void, ModelFailed> =>
    Effect.flatMap(send(paused), (whole) => {
      const read = tryRead(() => reader.read(whole))
      if (isProviderError(read)) return Effect.fail(toModelFailed(model, read))
      parts.push(...read)
      const next = left > 0 ? reader.resume() : undefined
      return next === undefined ? Effect.void : from(next, left - 1)
    })
  return Effect.flatMap(
    Effect.mapError(from(undefined, MAX_CONTINUATIONS), (failure) => withReported(failure, reader)),
    () => endWholeReply(model, parts, reader),
  )
}
