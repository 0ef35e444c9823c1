/** Implements `planloom mcp tools`: prints the tools of servers; a server whose list is unknown or out of date is asked. */
import * as Effect from "effect/Effect"
import type { Tool } from "@planloom/plugin/effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { entriesJson, entriesText } from "../list/Entry.ts"
import { toolEntry } from "../list/toolEntries.ts"
import { doing } from "../terminal/activity.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { NO_SERVERS, named, withServers, type DeclaredServer } from "./withServers.ts"
import type { ServersFlags } from "./listServers.ts"

export interface ServerToolsFlags extends ServersFlags {
  readonly servers: ReadonlyArray<string>
}

interface Listed {
  readonly tools: ReadonlyArray<Tool>
  /** What is missing, or should be known of the tools. */
  readonly said: ReadonlyArray<string>
  readonly failed: boolean
}

export const listServerTools: Handler<ServerToolsFlags> = ({ from, json, servers: names }) =>
  withServers(from, (servers) =>
    Effect.gen(function* () {
      const chosen = yield* named(servers, names)
      const listed = yield* Effect.promise(() => Promise.all(chosen.map(listedBy)))
      const said = listed.flatMap((one) => one.said)
      for (const line of said) say(stderr.style.warn(oneLine(line)))
      const entries = listed.flatMap(({ tools }) => tools.map(toolEntry))
      if (json) print(entriesJson(entries))
      else if (entries.length > 0) print(entriesText(entries, stdout.style, textWidth(stdout)))
      else if (said.length === 0) say(stderr.style.dim(NO_SERVERS))
      return (listed.some(({ failed }) => failed) ? "failed" : "ok") as ExitName
    }),
  )

const listedBy = async ({ tools: one }: DeclaredServer): Promise<Listed> => {
  const { joinLists, McpFailed } = await import("@planloom/mcp/manage")
  const { server } = one
  let problem: string | undefined
  try {
    doing(`asking ${server.name} for its tools`)
    await one.current()
  } catch (error) {
    if (!(error instanceof McpFailed)) throw error
    problem = error.message
  }
  const { concerns = [], tools } = joinLists([{ server, list: one.known() }])
  return {
    tools,
    said: [...(problem === undefined ? [] : [problem]), ...concerns],
    failed: problem !== undefined,
  }
}
