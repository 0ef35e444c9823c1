/** Implements `planloom mcp logout`: ends and forgets the login at a server. */
import { stateFolder } from "@planloom/plugin/state"
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { print } from "../terminal/Screen.ts"
import { serverNamed } from "./declaredServers.ts"

export interface LogoutFlags extends ReadingFlags {
  readonly server: string
  readonly workflow: string | undefined
}

const texts = {
  none: "there was no login at",
  ended: "logged out of",
  kept: "the login is forgotten; its tokens end by themselves, because the authorization server did not end them:",
} as const

export const logOutAt: Handler<LogoutFlags> = (flags) =>
  Effect.gen(function* () {
    const { secret, server } = yield* serverNamed(flags.server, flags.workflow, flags)
    const { logOut } = yield* Effect.promise(() => import("@planloom/mcp"))
    const ended = yield* Effect.promise((signal) =>
      logOut({ server, secret, state: stateFolder(), signal }),
    )
    print(`${texts[ended]} "${flags.server}"`)
    return "ok" as ExitName
  })
