/** Opens a recorded run to read it: from the project's store, or from an exported file. */
import type { RecordedRun, RunEvent, RunRecord, StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { isFile } from "../project/projectFiles.ts"
import type { Refused } from "../Refused.ts"
import { readRunFile } from "./readRunFile.ts"
import { runNamed, withReadableRuns } from "./withRuns.ts"

export interface RunSource {
  readonly record: RunRecord
  readonly events: (from: number) => Effect.Effect<ReadonlyArray<RunEvent>, StoreFailed>
  readonly whole: Effect.Effect<RecordedRun, StoreFailed>
  /** Whether its texts were redacted. */
  readonly redacted: boolean
}

/** Reads an existing file as an exported run; otherwise the argument is a run id. */
export const withRecorded = <A>(
  given: string,
  use: (source: RunSource) => Effect.Effect<A, Refused | StoreFailed>,
): Effect.Effect<A, Refused> =>
  Effect.flatMap(
    Effect.promise(() => isFile(given)),
    (file) =>
      file
        ? Effect.flatMap(readRunFile(given), ({ record, recorded, redacted }) =>
            Effect.catchTag(
              use({
                record,
                redacted,
                events: (from) => Effect.succeed(recorded.events.filter(({ seq }) => seq >= from)),
                whole: Effect.succeed(recorded),
              }),
              "StoreFailed",
              (failure) => Effect.die(failure),
            ),
          )
        : withReadableRuns((store) =>
            Effect.flatMap(runNamed(store, given), (record) =>
              use({
                record,
                redacted: false,
                events: (from) => store.events(record.run, from),
                whole: store.read(record.run),
              }),
            ),
          ),
  )
