/** Implements `planloom tools list`: prints tools by group. */
import * as Effect from "effect/Effect"
import type { Tool } from "@planloom/plugin/effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { entriesJson, entriesText } from "../list/Entry.ts"
import { toolEntries } from "../list/toolEntries.ts"
import { withInventory } from "../list/Inventory.ts"
import { plural } from "../terminal/quantity.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"

export interface ToolsFlags extends ReadingFlags {
  readonly workflow: string | undefined
  readonly json: boolean
}

export const listTools: Handler<ToolsFlags> = (flags) =>
  withInventory(flags.workflow, flags, ({ tools }) =>
    Effect.sync((): ExitName => {
      if (flags.json) print(entriesJson(toolEntries(tools)))
      else {
        for (const [group, members] of byGroup(tools)) {
          print(
            `${stdout.style.bold(group)}\n${entriesText(toolEntries(members), stdout.style, textWidth(stdout))}\n`,
          )
        }
        say(stderr.style.dim(plural(tools.length, "tool")))
      }
      return "ok"
    }),
  )

const byGroup = (tools: ReadonlyArray<Tool>): ReadonlyMap<string, ReadonlyArray<Tool>> =>
  Map.groupBy(tools, ({ group }) => group ?? "no group")
