/** Implements `planloom mcp list`: prints the declared servers and what is known of them, without starting one. */
import { relative } from "node:path"
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { entriesJson, entriesText, type Entry } from "../list/Entry.ts"
import { plural } from "../terminal/quantity.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { NO_SERVERS, withServers, type DeclaredServer } from "./withServers.ts"

export interface ServersFlags {
  readonly from: string | undefined
  readonly json: boolean
}

export const listServers: Handler<ServersFlags> = ({ from, json }) =>
  withServers(from, (servers) =>
    Effect.gen(function* () {
      const entries = yield* Effect.promise(() => Promise.all(servers.map(entryOf)))
      if (json) print(entriesJson(entries))
      else if (entries.length === 0) say(stderr.style.dim(NO_SERVERS))
      else print(entriesText(entries, stdout.style, textWidth(stdout)))
      return "ok" as ExitName
    }),
  )

const entryOf = async ({ tools }: DeclaredServer): Promise<Entry> => {
  const { concernsOf, failureText, isCommand, missingIn, timeText } =
    await import("@planloom/mcp/manage")
  const { file, name, prefix, reach } = tools.server
  const list = tools.known()
  const where = isCommand(reach) ? [reach.command, ...reach.args].join(" ") : reach.url
  const missing = list && missingIn(list)
  const concerns = list === undefined ? [] : concernsOf(list)
  const failure = tools.lastFailure()
  const state =
    list === undefined
      ? "never listed"
      : `${plural(list.tools.length, "tool")}, listed ${timeText(list.at)}`
  return {
    id: name,
    summary: [
      where,
      `(${state})`,
      ...(failure === undefined ? [] : [`(could not be listed: ${failureText(failure)})`]),
      ...(missing === undefined ? [] : [`(${missing})`]),
      ...concerns.map((one) => `(${one})`),
    ].join(" "),
    data: {
      prefix,
      file: relative(process.cwd(), file),
      ...(isCommand(reach) ? { command: reach.command, args: reach.args } : { url: reach.url }),
      ...(failure === undefined
        ? {}
        : { failure: { message: failure.message, at: new Date(failure.at).toISOString() } }),
      ...(list === undefined
        ? {}
        : {
            tools: list.tools.length,
            listed: new Date(list.at).toISOString(),
            until: new Date(list.expires).toISOString(),
            revision: list.era.kind === "modern" ? "2026-07-28" : "2025-11-25",
            dropped: list.dropped,
            withheld: (list.withheld ?? []).map((one) => one.name),
            flagged: (list.flagged ?? []) as unknown as Json,
          }),
    },
  }
}
