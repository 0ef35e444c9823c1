/** Continues replies that a service pauses: the further requests of one turn. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { MayContinue, ModelFailed, ModelPart, ModelReply } from "@planloom/plugin/effect"
import { toModelFailed } from "./ProviderError.ts"
import { isProviderError, tryRead, withReported, type PartReader } from "./readParts.ts"
import { endWholeReply } from "./readWholeReply.ts"

/** Requests that continue one reply, besides the first. */
export const MAX_CONTINUATIONS = 4

/** Reads a turn of several requests; `State` is what a service needs to continue it. */
export interface TurnReader<Chunk, State> extends PartReader<Chunk> {
  /** The content of the turn's next request; undefined unless the service has paused and can continue. */
  readonly paused: () => State | undefined
  /** Begins to read the next request. */
  readonly resume: () => void
}

/** The state of the next request if it may be sent; the reader then reads that one. */
const nextOf = <State>(
  reader: TurnReader<never, State>,
  mayContinue: MayContinue | undefined,
): Effect.Effect<State | undefined> =>
  Effect.suspend(() => {
    const state = reader.paused()
    if (state === undefined || mayContinue === undefined) return Effect.undefined
    return Effect.map(mayContinue(reader.usage()), (may) => {
      if (!may) return undefined
      reader.resume()
      return state
    })
  })

/** The chunks of a streamed turn; read each of them before the next is pulled. */
export const chunksOfTurn = <Chunk, State>(
  send: (paused: State | undefined) => Stream.Stream<Chunk, ModelFailed>,
  reader: TurnReader<Chunk, State>,
  mayContinue: MayContinue | undefined,
): Stream.Stream<Chunk, ModelFailed> => {
  const from = (paused: State | undefined): Stream.Stream<Chunk, ModelFailed> =>
    Stream.concat(
      send(paused),
      Stream.unwrap(
        Effect.map(nextOf(reader, mayContinue), (next) =>
          next === undefined ? Stream.empty : from(next),
        ),
      ),
    )
  return from(undefined)
}

/** Reads a turn whose replies are not streamed: each has the shape of one chunk. */
export const readWholeTurn = <Chunk, State>(
  model: string,
  send: (paused: State | undefined) => Effect.Effect<Chunk, ModelFailed>,
  reader: TurnReader<Chunk, State>,
  mayContinue: MayContinue | undefined,
): Effect.Effect<Omit<ModelReply, "model">, ModelFailed> => {
  const parts: Array<ModelPart> = []
  const from = (paused: State | undefined): Effect.Effect<void, ModelFailed> =>
    Effect.flatMap(send(paused), (whole) => {
      const read = tryRead(() => reader.read(whole))
      if (isProviderError(read)) return Effect.fail(toModelFailed(model, read))
      parts.push(...read)
      return Effect.flatMap(nextOf(reader, mayContinue), (next) =>
        next === undefined ? Effect.void : from(next),
      )
    })
  return Effect.flatMap(
    Effect.mapError(from(undefined), (failure) => withReported(failure, reader)),
    () => endWholeReply(model, parts, reader),
  )
}
