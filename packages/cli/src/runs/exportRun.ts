/** Does what `planloom runs export` asks. */
import * as Effect from "effect/Effect"
import type { Doing } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { writeText } from "../project/writeText.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export const exportRun: Doing<{ readonly id: string; readonly out: string | undefined }> = ({
  id,
  out,
}) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const record = yield* runNamed(store, id)
      const { run } = record
      const document = {
        format: "planloom/run/v1",
        record,
        definition: (yield* store.definition(run)) ?? null,
        steps: yield* store.steps(run),
        events: yield* store.events(run),
      }
      yield* writeText(`${JSON.stringify(document, null, 2)}\n`, out)
      return "ok" as ExitName
    }),
  )
