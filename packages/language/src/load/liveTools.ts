/** Tools of a workflow whose sources report changes: lists them again while the workflow is loaded. */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { Tool } from "@planloom/plugin/effect"
import { loadedOnce } from "@planloom/plugin/late"
import { relisted, type ListedTools } from "./listTools.ts"
import { mergeTools, type ToolRegistry } from "./ToolRegistry.ts"

/** Loaded for a source that reports changes. */
const streamModule = loadedOnce(() => import("effect/Stream"))

export interface LiveTools {
  /** The tools as they are known now. A snapshot never changes. */
  readonly snapshot: () => ToolRegistry
}

/** Undefined if no source reports changes. A source that cannot list its tools keeps the earlier ones. */
export const liveTools = (
  listed: ReadonlyArray<ListedTools>,
  catalog: ReadonlyArray<Tool>,
): Effect.Effect<LiveTools | undefined, never, Scope> =>
  Effect.gen(function* () {
    if (listed.every(({ source }) => source.changes === undefined)) return undefined
    const { runForEach } = yield* streamModule()
    const current = [...listed]
    let registry = mergeTools(current, catalog)
    for (const [index, { source }] of listed.entries()) {
      if (source.changes === undefined) continue
      let generation = 0
      const relist = Effect.suspend(() => {
        const own = ++generation
        return Effect.flatMap(relisted(source), (found) => {
          // A list that was requested before a later change is outdated, whenever it arrives.
          if (own !== generation) return Effect.void
          const { problem } = found
          if (problem !== undefined && found.tools.length === 0) {
            return Effect.logWarning(`the tool source "${source.id}" ${problem}`)
          }
          current[index] = found
          registry = mergeTools(current, catalog)
          return Effect.void
        })
      })
      const watch = runForEach(source.changes, () => Effect.forkScoped(relist))
      yield* Effect.forkScoped(
        Effect.catchDefect(watch, (error) =>
          Effect.logWarning(
            `the tool source "${source.id}" reports no more changes: ${String(error)}`,
          ),
        ),
      )
    }
    return { snapshot: () => registry }
  })
