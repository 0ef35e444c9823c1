/** What there is to build with: a workflow's components, or those that come with the command. */
import type { ComponentKind, Plugin, Tool } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import type { LoadedWorkflow } from "@planloom/core"
import type { ReadingFlags } from "../commands/options.ts"
import type { ExitName } from "../ExitCode.ts"
import { bundledPlugins } from "../project/bundledPlugins.ts"
import { withChecked, withLoaded } from "../project/withWorkflow.ts"
import type { Refused } from "../Refused.ts"

type Described = { readonly id: string; readonly summary: string }

export interface World {
  /** Undefined when no workflow was named. */
  readonly workflow: LoadedWorkflow | undefined
  /** Of a kind such as `stages`, in the order of their plugins. */
  readonly components: (kind: ComponentKind) => ReadonlyArray<Described>
  readonly tools: ReadonlyArray<Tool>
  /** By the name a workflow gives under `use.plugins`. */
  readonly plugins: ReadonlyArray<readonly [name: string, plugin: Plugin]>
}

/**
 * Opens the world a command's flags name and lets the command look at it. `setUp` sets its plugins up as a run
 * would: only then do providers know their keys and say whether they can answer.
 */
export const inWorld = (
  workflow: string | undefined,
  flags: ReadingFlags,
  look: (world: World) => Effect.Effect<ExitName, Refused>,
  setUp = false,
): Effect.Effect<ExitName, Refused> =>
  workflow === undefined
    ? Effect.flatMap(bundledWorld, look)
    : (setUp ? withLoaded : withChecked)(workflow, flags, (loaded) => look(worldOf(loaded)))

const worldOf = (workflow: LoadedWorkflow): World => {
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

const bundledWorld: Effect.Effect<World> = Effect.gen(function* () {
  const plugins = yield* Effect.promise(() =>
    Promise.all(
      Object.entries(bundledPlugins).map(async ([name, load]) => [name, await load()] as const),
    ),
  )
  const sources = plugins.flatMap(([, { components }]) => components?.tools ?? [])
  const tools = yield* Effect.forEach(sources, (source) =>
    Effect.orElseSucceed(source.list, (): ReadonlyArray<Tool> => []),
  )
  return {
    workflow: undefined,
    components: (kind) =>
      plugins.flatMap(([, { components, provides, summary }]) => [
        ...((components?.[kind] ?? []) as ReadonlyArray<Described>),
        ...(provides?.[kind] ?? []).map((id) => ({ id, summary })),
      ]),
    tools: tools.flat(),
    plugins,
  }
})
