/** Checks of the servers that workflows declare, by their last lists: none is started. */
import { dirname } from "node:path"
import type { Checked } from "@planloom/embed"
import { decisionsIn } from "@planloom/language"
import type { ServerTools } from "@planloom/mcp/manage"
import * as Effect from "effect/Effect"
import { pluginOptions } from "../project/pluginOptions.ts"
import { namedValue } from "../project/namedValue.ts"
import { plural } from "../terminal/quantity.ts"
import { good, note, type Finding } from "./Finding.ts"

const PLUGIN = "@planloom/mcp"

/** The tool source of the plugin. */
export const SERVERS = "mcp"

/** One finding for each server, even if several workflows declare it. */
export const serverFindings = Effect.fnUntraced(function* (
  checked: ReadonlyArray<Checked>,
): Effect.fn.Return<ReadonlyArray<Finding>> {
  const using = checked.filter(({ workflow }) => workflow?.definition.use.plugins.includes(PLUGIN))
  if (using.length === 0) return []
  const { McpTools } = yield* Effect.promise(() => import("@planloom/mcp/manage"))
  const options = yield* pluginOptions
  const found = new Map<string, Finding>()
  for (const { file, workflow } of using) {
    const declared = workflow?.resources.declared
    if (declared === undefined) continue
    const source = new McpTools({
      declared: () => declared,
      secret: namedValue,
      ...decisionsIn(options, dirname(file)),
    })
    const servers = yield* Effect.promise(() => source.servers())
    for (const one of servers.values()) {
      const finding = yield* Effect.promise(() => findingOf(one))
      found.set(`${finding.what}\0${finding.detail}`, finding)
    }
  }
  return [...found.values()]
})

const findingOf = async (one: ServerTools): Promise<Finding> => {
  const { concernsOf, failureText, missingIn, timeText } = await import("@planloom/mcp/manage")
  const what = `Server ${one.server.name}`
  const refusal = await one.refusal()
  const list = one.known()
  const failure = one.lastFailure()
  const failed = failure === undefined ? undefined : `could not be listed: ${failureText(failure)}`
  if (list === undefined) {
    const entries = "entries of catalogs stand in for its tools"
    return note(
      what,
      `${refusal ?? failed ?? "was never listed"}; ${entries}`,
      refusal === undefined ? `planloom mcp tools ${one.server.name}` : undefined,
    )
  }
  const revision = list.era.kind === "modern" ? "2026-07-28" : "2025-11-25"
  const state = `${plural(list.tools.length, "tool")}, revision ${revision}, listed ${timeText(list.at)}`
  const missing = missingIn(list)
  const problems = [
    ...(refusal === undefined ? [] : [refusal]),
    ...(failed === undefined ? [] : [failed]),
    ...(missing === undefined ? [] : [missing]),
    ...concernsOf(list),
  ]
  return problems.length === 0
    ? good(what, state)
    : note(
        what,
        [state, ...problems].join("; "),
        list.withheld !== undefined
          ? `planloom mcp approve ${one.server.name}`
          : failed === undefined
            ? undefined
            : `planloom mcp tools ${one.server.name}`,
      )
}
