/** Implements `planloom mcp login`: logs a person in at a server with OAuth. */
import { parseDuration } from "@planloom/plugin/duration"
import { stateFolder } from "@planloom/plugin/state"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { problem, Refused, usage } from "../Refused.ts"
import { print, say, stderr } from "../terminal/Screen.ts"
import { openBrowser } from "./openBrowser.ts"
import { withLoginServer, type LoginServerFlags } from "./withLoginServer.ts"

export interface LoginFlags extends LoginServerFlags {
  readonly browser: boolean
  readonly timeout: string
}

/** Timers take no more. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

export const logInAt: Handler<LoginFlags> = (flags) =>
  Effect.gen(function* () {
    const { browser, server: name, timeout } = flags
    const limit = parseDuration(timeout)
    if (limit === undefined || limit <= 0) {
      return yield* usage(`--timeout ${timeout} is not a duration such as 5m`)
    }
    return yield* withLoginServer(flags, ({ distrust, secret, server }) =>
      Effect.gen(function* () {
        const why = yield* distrust
        if (why !== undefined) return yield* problem(`no login at "${name}": ${why}`)
        const { logIn } = yield* Effect.promise(() => import("@planloom/mcp"))
        const late = AbortSignal.timeout(Math.min(limit, MAX_TIMEOUT_MS))
        const { expires, isRenewed, issuer, scope } = yield* Effect.tryPromise({
          try: (signal) =>
            logIn({
              server,
              secret,
              state: stateFolder(),
              signal: AbortSignal.any([signal, late]),
              show: (url) => {
                say(`log in to the server "${name}" at:\n  ${stderr.style.name(url)}`)
                if (browser) openBrowser(url)
              },
              onStray: () => say("a browser brought the answer of another login: it is ignored"),
            }),
          catch: (error) =>
            new Refused({
              exit: "failed",
              message: late.aborted
                ? `no login at "${name}" within ${timeout}`
                : `no login at "${name}": ${(error as Error).message}`,
              ...(late.aborted ? { help: "start it again, and open the address" } : {}),
            }),
        })
        const rights = scope === undefined ? "" : `, with the rights ${scope}`
        const end =
          isRenewed || expires === undefined ? "" : `, until ${new Date(expires).toISOString()}`
        print(`logged in to "${name}" at ${issuer}${rights}${end}`)
        return "ok" as ExitName
      }),
    )
  })
