/** The available components: a workflow's, or those that come with the command. */
import {
  promisedTools,
  providedIds,
  type ComponentKind,
  type Plugin,
  type Tool,
} from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { LoadedWorkflow } from "@planloom/core"
import type { ReadingFlags } from "../commands/options.ts"
import type { ExitName } from "../ExitCode.ts"
import { bundledPlugins } from "../project/bundledPlugins.ts"
import { withChecked, withLoaded } from "../project/withWorkflow.ts"
import type { Refused } from "../Refused.ts"

type Described = { readonly id: string; readonly summary: string }

export interface Inventory {
  /** Undefined when no workflow was named. */
  readonly workflow: LoadedWorkflow | undefined
  /** Components of a kind such as `stages`, in the order of their plugins. */
  readonly components: (kind: ComponentKind) => ReadonlyArray<Described>
  readonly tools: ReadonlyArray<Tool>
  /** Plugins by their name under `use.plugins`. */
  readonly plugins: ReadonlyArray<readonly [name: string, plugin: Plugin]>
}

/**
 * Opens the inventory that a command's flags select and passes it to `look`. `setUp` sets its plugins up as a run
 * does, so that providers have their keys and report their availability.
 */
export const withInventory = (
  workflow: string | undefined,
  flags: ReadingFlags,
  look: (inventory: Inventory) => Effect.Effect<ExitName, Refused>,
  setUp = false,
): Effect.Effect<ExitName, Refused> =>
  workflow === undefined
    ? Effect.flatMap(bundledInventory, look)
    : (setUp ? withLoaded : withChecked)(workflow, flags, (loaded) => look(inventoryOf(loaded)))

const inventoryOf = (workflow: LoadedWorkflow): Inventory => {
  const known = workflow.resources.components as unknown as {
    readonly [kind: string]: ReadonlyMap<string, Described> | undefined
  }
  return {
    workflow,
    components: (kind) => [...(known[kind]?.values() ?? [])],
    tools: workflow.resources.tools,
    plugins: [],
  }
}

const bundledInventory: Effect.Effect<Inventory> = Effect.gen(function* () {
  const plugins = yield* Effect.promise(() =>
    Promise.all(
      Object.entries(bundledPlugins).map(async ([name, load]) => [name, await load()] as const),
    ),
  )
  const sources = plugins.flatMap(([, { components }]) => components?.tools ?? [])
  const promised = plugins.flatMap(([, plugin]) =>
    providedIds(plugin, "tools").flatMap((id) => promisedTools(plugin, id) ?? []),
  )
  const tools = yield* Effect.forEach(sources, (source) =>
    Effect.match(source.list, { onSuccess: ({ tools: listed }) => listed, onFailure: () => [] }),
  )
  return {
    workflow: undefined,
    components: (kind) =>
      plugins.flatMap(([, plugin]) => [
        ...((plugin.components?.[kind] ?? []) as ReadonlyArray<Described>),
        ...providedIds(plugin, kind).map((id) => ({ id, summary: plugin.summary })),
      ]),
    tools: [...tools.flat(), ...promised],
    plugins,
  }
})
