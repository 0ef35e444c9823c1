/** Implements `planloom mcp logout`: ends and forgets the login at a server. */
import { stateFolder } from "@planloom/plugin/state"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { print } from "../terminal/Screen.ts"
import { withLoginServer, type LoginServerFlags } from "./withLoginServer.ts"

const texts = {
  none: "there was no login at",
  ended: "logged out of",
  kept: "the login is forgotten; its tokens end by themselves, because the authorization server did not end them:",
} as const

export const logOutAt: Handler<LoginServerFlags> = (flags) =>
  withLoginServer(flags, ({ secret, server }) =>
    Effect.gen(function* () {
      const { logOut } = yield* Effect.promise(() => import("@planloom/mcp"))
      const ended = yield* Effect.promise((signal) =>
        logOut({ server, secret, state: stateFolder(), signal }),
      )
      print(`${texts[ended]} "${flags.server}"`)
      return "ok" as ExitName
    }),
  )
