/** Implements `planloom tools search`: searches tools with the index that the workflow uses. */
import { toolDocument } from "@planloom/planning"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { entriesJson, entriesText } from "../list/Entry.ts"
import { toolEntry } from "../list/toolEntries.ts"
import { withInventory, type Inventory } from "../list/Inventory.ts"
import { problem, usage } from "../Refused.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import type { ToolsFlags } from "./listTools.ts"

export interface SearchFlags extends ToolsFlags {
  readonly text: string
  readonly limit: number
}

export const searchTools: Handler<SearchFlags> = (flags) =>
  // The index of a plugin that has config exists once the plugin is set up.
  withInventory(flags.workflow, flags, (inventory) => search(flags, inventory), true)

const search = (flags: SearchFlags, { tools, workflow }: Inventory) =>
  Effect.gen(function* () {
    if (flags.limit < 1) return yield* usage("--limit must be at least 1")
    const index =
      workflow?.pipeline.index ??
      (yield* Effect.promise(() => import("@planloom/retrieval"))).embedded
    const { embeddings } = workflow?.definition ?? {}
    if (embeddings !== undefined) {
      say(stderr.style.dim(`found by words; a run also uses the embedder "${embeddings}"`))
    }
    const hits = yield* Effect.flatMap(index.build(tools.map(toolDocument)), (built) =>
      built.search(flags.text, { limit: flags.limit }),
    ).pipe(Effect.mapError(({ message }) => problem(`the search failed: ${message}`)))
    const byName = new Map(tools.map((tool) => [tool.name, tool]))
    const entries = hits.flatMap(({ id, score }) => {
      const tool = byName.get(id)
      if (tool === undefined) return []
      const entry = toolEntry(tool)
      return [{ ...entry, aside: score.toFixed(2), data: { ...entry.data, score } }]
    })
    if (flags.json) print(entriesJson(entries))
    else if (entries.length === 0) say(stderr.style.dim("no matching tools"))
    else print(entriesText(entries, stdout.style, textWidth(stdout)))
    return "ok" as ExitName
  })
