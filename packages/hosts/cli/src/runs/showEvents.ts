/** Implements `planloom runs events`: prints the events of a run as JSON lines. */
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { print } from "../terminal/Screen.ts"
import { withRecorded } from "./withRecorded.ts"

export const showEvents: Handler<{ readonly id: string; readonly from: number }> = ({ from, id }) =>
  withRecorded(id, ({ events }) =>
    Effect.map(events(from), (all): ExitName => {
      for (const event of all) print(JSON.stringify(event))
      return "ok"
    }),
  )
