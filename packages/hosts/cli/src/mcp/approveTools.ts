/** Implements `planloom mcp approve`: shows what changed in withheld tools, and approves them if a person agrees. */
import type { ListedTool, WithheldTool } from "@planloom/mcp/manage"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { confirm } from "../terminal/confirm.ts"
import { diffLines } from "../terminal/diffLines.ts"
import { plural } from "../terminal/quantity.ts"
import { print, say, stderr, stdout } from "../terminal/Screen.ts"
import { canAsk } from "../trust/askTrust.ts"
import { named, withServers, type DeclaredServer } from "./withServers.ts"
import type { ServerToolsFlags } from "./listServerTools.ts"

export interface ApproveFlags extends ServerToolsFlags {
  readonly yes: boolean
}

/** A tool with its two forms: what is shown of the last list is approved; no server is asked. */
interface Change {
  readonly from: DeclaredServer
  readonly withheld: WithheldTool
  readonly now: ListedTool
}

export const approveTools: Handler<ApproveFlags> = ({ from, json, servers: names, yes }) =>
  withServers(from, (servers) =>
    Effect.gen(function* () {
      const changes = (yield* named(servers, names)).flatMap(changesOf)
      if (json) print(JSON.stringify(changes.map(changeJson), null, 2))
      else for (const change of changes) print(changeText(change))
      if (changes.length === 0) {
        say(stderr.style.dim("no tool is withheld"))
        return "ok" as ExitName
      }
      const agrees =
        yes ||
        (canAsk() &&
          (yield* Effect.promise((signal) =>
            confirm(`Approve ${plural(changes.length, "tool")} as shown?`, signal),
          )))
      if (!agrees) {
        say(`${plural(changes.length, "tool")} withheld; --yes approves without asking`)
        return "problems" as ExitName
      }
      for (const [one, of] of Map.groupBy(changes, (change) => change.from)) {
        yield* Effect.promise(() => one.tools.approve(of.map(({ withheld }) => withheld.name)))
      }
      say(`approved ${plural(changes.length, "tool")}`)
      return "ok" as ExitName
    }),
  )

const changesOf = (from: DeclaredServer): ReadonlyArray<Change> => {
  const list = from.tools.known()
  return (list?.withheld ?? []).flatMap((withheld) => {
    const now = list?.tools.find(({ name }) => name === withheld.name)
    return now === undefined ? [] : [{ from, withheld, now }]
  })
}

/** The text of a tool that a reader sees. */
const readable = (tool: ListedTool | undefined): string => {
  if (tool === undefined) return ""
  const { digest: _, ...read } = tool
  return JSON.stringify(read, null, 2)
}

const nameOf = ({ from, now }: Change): string => `${from.tools.server.prefix}.${now.name}`

const changeText = (change: Change): string =>
  [
    stdout.style.name(nameOf(change)),
    ...diffLines(readable(change.withheld.approved), readable(change.now), stdout.style),
    "",
  ].join("\n")

const changeJson = (change: Change) => ({
  tool: nameOf(change),
  changed: change.withheld.changed,
  approved: change.withheld.approved,
  now: change.now,
})
