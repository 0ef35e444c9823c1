/** Implements `planloom sessions clear`: deletes the turns and state of a session. */
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withRuns } from "../runs/withRuns.ts"
import { print, say } from "../terminal/Screen.ts"
import { sessionNamed } from "./sessionNamed.ts"

export const clearSession: Handler<{ readonly id: string; readonly json: boolean }> = ({
  id,
  json,
}) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const { session, version } = yield* sessionNamed(store, id)
      yield* store.sessions.clear(session)
      if (json) print(JSON.stringify({ session, turns: version }))
      else say(`cleared the session ${session}`)
      return "ok" as ExitName
    }),
  )
