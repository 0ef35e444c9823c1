/** Plugins → components by id: what a workflow may name. Refuses duplicates; never changes once made. */
import {
  API_VERSION,
  ModelFailed,
  StageFailed,
  ToolFailed,
  componentKinds,
  promisedSource,
  promisedSubagent,
  providedIds,
  type ComponentKind,
  type Components,
  type Host,
  type Plugin,
  type StageKind,
} from "@planloom/plugin/effect"
import { SchemaRejected } from "@planloom/schema"
import * as Effect from "effect/Effect"
import type { KnownComponents } from "../../definition/Resources.ts"
import { schemaFault } from "./schemaFault.ts"

/** A plugin as a workflow names it, with the components it has given so far. */
export interface LoadedPlugin {
  /** As written under `use.plugins`. */
  readonly name: string
  readonly plugin: Plugin
  readonly components: Components
  /** Its config, as its schema reads it. */
  readonly config?: unknown
  /** The workflow's declarations for it. */
  readonly declared?: Host["declared"]
  /** Known by its manifest alone: its code has not run. */
  readonly isDeclared?: true
}

/** Why a plugin cannot be used. */
export interface PluginProblem {
  readonly name: string
  readonly message: string
}

type Mutable = { -readonly [kind in ComponentKind]: Map<string, { readonly id: string }> }

/** All components of these plugins. The first plugin to bring an id keeps it; the second is a problem. */
export const register = (
  plugins: ReadonlyArray<LoadedPlugin>,
): {
  readonly components: KnownComponents
  readonly owners: ReadonlyMap<string, string>
  readonly problems: ReadonlyArray<PluginProblem>
} => {
  const known = Object.fromEntries(
    componentKinds.map((kind) => [kind, new Map()]),
  ) as unknown as Mutable
  const owners = new Map<string, string>()
  const problems: Array<PluginProblem> = []
  for (const loaded of plugins) {
    const { components, name } = loaded
    for (const { kind, schema } of components.fileKinds ?? []) {
      const fault = schemaFault(schema)
      if (fault !== undefined) {
        problems.push({
          name,
          message: `the schema of kind ${kind}: ${new SchemaRejected([fault]).message}`,
        })
      }
    }
    for (const kind of componentKinds) {
      const given = [...(components[kind] ?? []), ...promised(loaded, kind)]
      for (const component of given) {
        const rejected = faultOf(kind, component)
        if (rejected !== undefined) problems.push({ name, message: rejected })
        const owner = owners.get(`${kind}/${component.id}`)
        if (owner === undefined) {
          owners.set(`${kind}/${component.id}`, name)
          known[kind].set(component.id, component)
        } else {
          problems.push({
            name,
            message: `${kind} "${component.id}" is already given by the plugin "${owner}"`,
          })
        }
      }
    }
  }
  return { components: known as unknown as KnownComponents, owners, problems }
}

const faultOf = (kind: ComponentKind, component: object): string | undefined => {
  if (standIns.has(component)) return undefined
  return kind === "stages" ? stageFault(component as StageKind) : undefined
}

const stageFault = ({ id, input, output }: StageKind): string | undefined => {
  for (const [name, schema] of Object.entries({ input, output })) {
    const fault = typeof schema === "function" ? undefined : schemaFault(schema)
    if (fault !== undefined)
      return `the ${name} of stages "${id}": ${new SchemaRejected([fault]).message}`
  }
  return undefined
}

const standIns = new WeakSet<object>()

/** Whether only the id of this component is known, because its plugin gives it in its set-up. */
export const isPromised = (component: object): boolean => standIns.has(component)

const nameless = new WeakSet<object>()

/** Tool sources of which a plugin promises the id alone: which tools it has is unknown until its setup. */
export const namelessSources = (
  { tools }: KnownComponents,
  owners: ReadonlyMap<string, string>,
): ReadonlyArray<{ readonly source: string; readonly plugin: string }> =>
  [...tools.values()].flatMap((source) =>
    nameless.has(source) ? [{ source: source.id, plugin: owners.get(`tools/${source.id}`)! }] : [],
  )

/** Stand-ins for what `setup` will give: enough for `check` to know the id, and honest when called. */
const promised = ({ components, config, declared, plugin }: LoadedPlugin, kind: ComponentKind) =>
  providedIds(plugin, kind)
    .filter((id) => !(components[kind] ?? []).some((component) => component.id === id))
    .map((id) => {
      const source = kind === "tools" ? promisedSource(plugin, id) : undefined
      const catalogTools = source?.catalogTools?.(config)
      const known = source?.known
      const standIn = {
        id,
        summary: plugin.summary,
        ...(kind === "subagents" ? promisedSubagent(plugin, id) : notSetUp(kind, id)),
        ...(source === undefined ? {} : { list: Effect.succeed({ tools: source.tools }) }),
        ...(catalogTools === undefined ? {} : { catalogTools }),
        ...(source?.given === undefined ? {} : { given: source.given }),
        ...(known === undefined || declared === undefined
          ? {}
          : { known: Effect.suspend(() => known(config, declared())) }),
      }
      standIns.add(standIn)
      if (kind === "tools" && source === undefined) nameless.add(standIn)
      return standIn
    })

const notSetUp = (kind: ComponentKind, id: string): object => {
  const message = `"${id}" has not been set up; load the workflow instead of only checking it`
  if (kind === "stages") {
    return {
      input: true,
      output: true,
      run: () => Effect.fail(new StageFailed({ class: "internal", message })),
    }
  }
  if (kind === "providers") {
    return {
      generate: () => Effect.fail(new ModelFailed({ class: "internal", model: id, message })),
    }
  }
  if (kind === "embedders") {
    return {
      model: id,
      dimensions: 0,
      embed: () => Effect.fail(new ModelFailed({ class: "internal", model: id, message })),
    }
  }
  if (kind === "rerankers") {
    return {
      model: id,
      rerank: () => Effect.fail(new ModelFailed({ class: "internal", model: id, message })),
    }
  }
  if (kind === "tools") {
    return {
      list: Effect.succeed({ tools: [] }),
      call: () => Effect.fail(new ToolFailed({ class: "internal", tool: id, message })),
    }
  }
  return {}
}

/** Why a module is not a plugin this engine can use; undefined when it is. */
export const pluginProblem = (value: unknown): string | undefined => {
  if (typeof value !== "object" || value === null || !("apiVersion" in value)) {
    return "it does not export a plugin as its default; make one with definePlugin"
  }
  const { apiVersion, id } = value as Plugin
  if (apiVersion === API_VERSION) {
    return typeof id === "string" && id !== "" ? undefined : "it has no `id`; give definePlugin one"
  }
  return `it is made for version ${String(apiVersion)} of the plugin contract; this engine speaks version ${API_VERSION}`
}
