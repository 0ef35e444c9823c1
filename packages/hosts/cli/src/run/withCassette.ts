/** Opens the cassette of `--record` or `--replay`. */
import type { StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Cassette, LoadedWorkflow } from "@planloom/core"
import { problem, Refused, usage } from "../Refused.ts"

export interface CassetteFlags {
  /** Folder to record the calls into. */
  readonly record: string | undefined
  /** Folder to answer the calls from. */
  readonly replay: string | undefined
}

/** Fails if the recording cannot be written, but only after the run was shown, because it may have cost money. */
export const withCassette = <A>(
  { record, replay }: CassetteFlags,
  { definition, secrets }: LoadedWorkflow,
  use: (cassette: Cassette | undefined) => Effect.Effect<A, Refused>,
): Effect.Effect<A, Refused> => {
  if (record !== undefined && replay !== undefined) {
    return Effect.fail(usage("--record and --replay exclude each other"))
  }
  const folder = record ?? replay
  if (folder === undefined) return use(undefined)
  return Effect.flatMap(
    Effect.promise(() => import("@planloom/testing")),
    ({ recordCassette, replayCassette }) =>
      Effect.flatMap(
        Effect.mapError(
          record === undefined
            ? replayCassette(folder, { secrets })
            : recordCassette(folder, definition.name, { secrets }),
          ({ message }) => problem(message),
        ),
        (cassette) => withSave(cassette, use),
      ),
  )
}

const withSave = <A>(
  cassette: Cassette,
  use: (cassette: Cassette) => Effect.Effect<A, Refused>,
): Effect.Effect<A, Refused> => {
  let unsaved: StoreFailed | undefined
  const save: Cassette["save"] = (cancelled) =>
    Effect.tapError(cassette.save(cancelled), (failure) =>
      Effect.sync(() => {
        unsaved = failure
      }),
    )
  return Effect.flatMap(use({ ...cassette, save }), (done) =>
    unsaved === undefined
      ? Effect.succeed(done)
      : Effect.fail(
          new Refused({
            exit: "failed",
            message: unsaved.message,
            help: "choose another folder with --record",
          }),
        ),
  )
}
