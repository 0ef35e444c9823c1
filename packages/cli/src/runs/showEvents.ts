/** Does what `planloom runs events` asks. */
import * as Effect from "effect/Effect"
import type { Doing } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { print } from "../terminal/Screen.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export const showEvents: Doing<{ readonly id: string; readonly from: number }> = ({ from, id }) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const { run } = yield* runNamed(store, id)
      for (const event of yield* store.events(run, from)) print(JSON.stringify(event))
      return "ok" as ExitName
    }),
  )
