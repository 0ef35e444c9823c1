/** Implements `planloom runs export`: writes a run as one JSON document. */
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { writeText } from "../project/writeText.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export interface ExportFlags {
  readonly id: string
  readonly out: string | undefined
  readonly redact: boolean
}

export const exportRun: Handler<ExportFlags> = ({ id, out, redact }) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const record = yield* runNamed(store, id)
      const recorded = yield* store.read(record.run)
      const { runFileText } = yield* Effect.promise(() => import("@planloom/record/export"))
      yield* writeText(runFileText(recorded, record, redact), out)
      return "ok" as ExitName
    }),
  )
