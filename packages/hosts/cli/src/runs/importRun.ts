/** Implements `planloom runs import`: records a run that was exported elsewhere. */
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { problem } from "../Refused.ts"
import { openRuns } from "../run/projectRuns.ts"
import { print, say } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { readRunFile } from "./readRunFile.ts"

export const importRun: Handler<{ readonly file: string; readonly json: boolean }> = ({
  file,
  json,
}) =>
  Effect.gen(function* () {
    const { record, recorded, redacted } = yield* readRunFile(file)
    // A redacted definition is not a valid workflow: without it, the run cannot be resumed.
    const { definition: _, ...rest } = recorded
    yield* Effect.catchTag(
      Effect.scoped(Effect.flatMap(openRuns(), (store) => store.write(redacted ? rest : recorded))),
      "StoreFailed",
      ({ message, reason }) =>
        Effect.fail(
          reason === "exists"
            ? problem(
                `the run ${oneLine(record.run)} exists already`,
                `planloom runs show ${oneLine(record.run)}`,
              )
            : problem(message),
        ),
    )
    if (json) print(JSON.stringify({ run: record.run, status: record.status, redacted }))
    else say(`imported ${oneLine(record.run)}: ${record.status}${redacted ? ", redacted" : ""}`)
    return "ok" as ExitName
  })
