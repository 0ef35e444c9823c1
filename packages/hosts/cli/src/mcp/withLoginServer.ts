/** The server that a login or a logout is for, among those that the project, a workflow or a file declares. Nothing is started. */
import type { Server } from "@planloom/mcp/manage"
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { ExitName } from "../ExitCode.ts"
import { problem, type Refused } from "../Refused.ts"
import { named, withServers } from "./withServers.ts"

export interface LoginServerFlags extends ReadingFlags {
  readonly server: string
  readonly from: string | undefined
}

export interface LoginServer {
  readonly server: Server
  /** Of the workflow that declares it. */
  readonly secret: (name: string) => string | undefined
  /** Why its file does not speak for the person, who is asked at a terminal; undefined if it does. */
  readonly distrust: Effect.Effect<string | undefined>
}

export const withLoginServer = (
  flags: LoginServerFlags,
  use: (chosen: LoginServer) => Effect.Effect<ExitName, Refused>,
): Effect.Effect<ExitName, Refused> =>
  withServers(
    flags.from,
    (servers) =>
      Effect.gen(function* () {
        const [one, ...more] = yield* named(servers, [flags.server])
        if (more.length > 0) {
          return yield* problem(
            `several servers have the name ${flags.server}`,
            "name the workflow or the file of servers with --from",
          )
        }
        const { mayTrust, secret, tools } = one!
        const { server } = tools
        const { distrust, file, name, reach } = server
        return yield* use({
          server,
          secret,
          distrust: Effect.promise(async () =>
            distrust === undefined || !("url" in reach)
              ? undefined
              : mayTrust({
                  what: `lets the server "${name}" act with your login at ${reach.url}`,
                  file,
                  matters: true,
                }),
          ),
        })
      }),
    flags,
  )
