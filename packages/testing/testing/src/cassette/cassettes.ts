/** Cassettes by folder; what they are made of is loaded when one is asked for. */
import * as Effect from "effect/Effect"
import type { StoreFailed } from "@planloom/plugin/effect"
import type { Cassette } from "@planloom/core"
import { scrubber } from "@planloom/core/internal"

export interface CassetteSettings {
  /** Values that must not be written: `LoadedWorkflow.secrets`. */
  readonly secrets?: ReadonlyArray<string>
}

/** Records one run into the folder, when the run has ended. Refuses a folder that holds something else. */
export const recordCassette = (
  folder: string,
  workflow: string,
  { secrets = [] }: CassetteSettings = {},
): Effect.Effect<Cassette, StoreFailed> =>
  Effect.flatMap(
    Effect.promise(() => import("./record.ts")),
    ({ recorder }) => recorder(folder, workflow, { scrub: scrubber(secrets) }),
  )

/** Answers one run from the folder. */
export const replayCassette = (
  folder: string,
  { secrets = [] }: CassetteSettings = {},
): Effect.Effect<Cassette, StoreFailed> =>
  Effect.flatMap(
    Effect.promise(() => import("./replay.ts")),
    ({ player }) => player(folder, { scrub: scrubber(secrets) }),
  )
