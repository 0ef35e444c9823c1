/** Implements `planloom mcp sync`: writes the tools of servers, as they list them now, as a catalog for review. */
import { readFile } from "node:fs/promises"
import { toYaml } from "@planloom/language"
import type { Json } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import { writeText } from "../project/writeText.ts"
import { problem, Refused } from "../Refused.ts"
import { doing } from "../terminal/activity.ts"
import { say, stderr } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { named, withServers, type DeclaredServer } from "./withServers.ts"

export interface SyncFlags {
  readonly servers: ReadonlyArray<string>
  readonly from: string | undefined
  readonly out: string | undefined
}

export const syncServers: Handler<SyncFlags> = ({ from, out, servers: names }) =>
  withServers(from, (servers) =>
    Effect.gen(function* () {
      const chosen = yield* named(servers, names)
      if (chosen.length === 0) return yield* problem("no servers are declared here")
      if (out !== undefined) yield* mayReplace(out)
      const { joinLists } = yield* Effect.promise(() => import("@planloom/mcp/manage"))
      // A file without one of the servers would show its tools as removed.
      yield* Effect.forEach(chosen, listed, { concurrency: "unbounded" })
      const { concerns = [], tools } = joinLists(
        chosen.map(({ tools: one }) => ({ server: one.server, list: one.known() })),
      )
      for (const line of concerns) say(stderr.style.warn(oneLine(line)))
      const catalog = {
        apiVersion: "planloom/v1",
        kind: "Catalog",
        name: "mcp",
        "x-mcp": { servers: chosen.map(({ tools: one }) => one.server.name).toSorted() },
        tools: tools
          .toSorted((a, b) => (a.name < b.name ? -1 : 1))
          .map(({ effect, name, params, summary }) => ({ name, summary, effect, params })),
      }
      yield* writeText(toYaml(catalog as unknown as Json), out)
      return "ok" as const
    }),
  )

const listed = ({ tools }: DeclaredServer): Effect.Effect<void, Refused> =>
  Effect.gen(function* () {
    const { McpFailed } = yield* Effect.promise(() => import("@planloom/mcp/manage"))
    doing(`asking ${tools.server.name} for its tools`)
    yield* Effect.tryPromise({
      try: () => tools.synchronized(),
      catch: (error) => {
        if (!(error instanceof McpFailed)) throw error
        return new Refused({ exit: "failed", message: oneLine(error.message) })
      },
    })
  })

/** Only what this command wrote. */
const mayReplace = (out: string): Effect.Effect<void, Refused> =>
  Effect.gen(function* () {
    const before = yield* Effect.promise(() => readFile(out, "utf8").catch(() => undefined))
    if (before !== undefined && !/^x-mcp:/m.test(before)) {
      return yield* problem(
        `${out} exists and was not written by this command`,
        "choose another file with --out",
      )
    }
  })
