/** Declared plugins → components: found, checked against the contract, and set up when a run needs them. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Scope } from "effect/Scope"
import {
  configReader,
  type Components,
  type ConfigRead,
  type Host,
  type Json,
  type JsonObject,
  type Manifest,
  type Plugin,
  type StageFailed,
} from "@planloom/plugin"
import type { DocumentPath } from "../definition/Definition.ts"
import { findModule, importModule } from "../source/loadModule.ts"
import { declaredPlugin } from "./declaredPlugin.ts"
import type { LoadOptions } from "./LoadOptions.ts"
import { missingComponents } from "./missingComponents.ts"
import { pluginProblem, type LoadedPlugin } from "./Registry.ts"
import { ownMember } from "../definition/ownMember.ts"

/** A problem of a plugin, and where the user named it. */
export interface PluginProblem {
  readonly code: "PL4001" | "PL4002" | "PL4024"
  readonly severity?: "warning"
  readonly message: string
  readonly help?: string
  /** Index in `use.plugins`. */
  readonly index: number
  /** Its manifest was read: what it declares is known. */
  readonly isDeclared?: true
  /** Where in the plugin's config, for PL4002. */
  readonly configPath?: DocumentPath
  /** What its `setup` failed with. */
  readonly failure?: StageFailed
}

export interface PluginRequest {
  readonly names: ReadonlyArray<string>
  /** By plugin name, from the project file. */
  readonly configs: { readonly [name: string]: JsonObject }
  readonly host: Host
  /** Where the workflow names a plugin, by its index: `flow.yaml:4:18`. */
  readonly placeOf: (index: number) => string
  readonly options: LoadOptions
  /** Whether the workflow uses anything of a plugin, by its manifest; without it every plugin is loaded. */
  readonly uses?: (manifest: Manifest) => boolean
  /** `check` reads what a plugin declares; `load` also sets it up. */
  readonly purpose: "check" | "load"
}

/** Loads every plugin that can be loaded, and reports the others. */
export const loadPlugins = Effect.fnUntraced(function* (request: PluginRequest): Effect.fn.Return<
  {
    readonly plugins: ReadonlyArray<LoadedPlugin>
    readonly pluginProblems: ReadonlyArray<PluginProblem>
  },
  never,
  Scope
> {
  const plugins: Array<LoadedPlugin> = []
  const pluginProblems: Array<PluginProblem> = []
  for (const [index, name] of request.names.entries()) {
    const found = yield* Effect.promise(() => find(name, index, request))
    if (!("plugin" in found) && "declared" in found) {
      const { declared, withheld } = found
      if (withheld !== undefined) {
        const known = declared && { isDeclared: true as const }
        pluginProblems.push({ code: "PL4024", index, ...withheld, ...known })
      }
      if (declared !== undefined) {
        const plugin = declaredPlugin(name, declared)
        plugins.push({ name, plugin, components: plugin.components!, isDeclared: true })
      }
      continue
    }
    if ("reason" in found) {
      pluginProblems.push({
        code: "PL4001",
        index,
        message: `the plugin "${name}" cannot be loaded: ${found.reason}`,
      })
      continue
    }
    const { plugin } = found
    const given = ownMember(request.configs, name)
    const config = yield* Effect.promise(() => configOf(plugin, given))
    if ("issues" in config) {
      for (const issue of config.issues) {
        pluginProblems.push({
          code: "PL4002",
          index,
          message: `the config of "${name}" does not fit: ${issue.message}`,
          configPath: issue.path,
        })
      }
      continue
    }
    const components = yield* Effect.exit(componentsOf(plugin, config.value, request))
    if (Exit.isSuccess(components)) {
      plugins.push({ name, plugin, components: components.value })
      const missing = missingComponents(
        plugin,
        components.value,
        found.declared,
        request.purpose === "check",
      )
      if (missing.length > 0) {
        pluginProblems.push({
          code: "PL4001",
          index,
          message: `the plugin "${name}" does not have what it promises: ${missing.join(", ")}`,
          help: "return it from setup or list it under components; otherwise remove it from provides and from the package's planloom key",
        })
      }
    } else {
      const failure = Exit.findErrorOption(components)
      pluginProblems.push(
        failure._tag === "Some"
          ? setupProblem(name, index, failure.value)
          : {
              code: "PL4001",
              index,
              message: `the plugin "${name}" could not be set up: ${String(components.cause)}`,
            },
      )
    }
  }
  for (const plugin of request.options.extraPlugins ?? []) {
    plugins.push({ name: plugin.id, plugin, components: plugin.components ?? {} })
  }
  return { plugins, pluginProblems }
})

/** An `invalid_request` of `setup` is a problem of the plugin's config, at `detail.path`. */
const setupProblem = (name: string, index: number, failure: StageFailed): PluginProblem => {
  const { class: kind, detail, message } = failure
  const text = `the plugin "${name}" could not be set up: ${message}`
  if (kind !== "invalid_request") return { code: "PL4001", index, message: text, failure }
  const { path } = (detail ?? {}) as { readonly path?: Json }
  return { code: "PL4002", index, message: text, configPath: isPath(path) ? path : [], failure }
}

const isPath = (path: Json | undefined): path is ReadonlyArray<string | number> =>
  Array.isArray(path) && path.every((key) => typeof key === "string" || typeof key === "number")

type Found =
  | { readonly plugin: Plugin; readonly declared?: Manifest | undefined }
  | { readonly reason: string }
  /** Known by its manifest alone, if it has one; withheld for a reason, or because nothing of it is used. */
  | {
      readonly declared: Manifest | undefined
      readonly withheld?: Pick<PluginProblem, "message" | "help" | "severity">
    }

const find = async (name: string, index: number, request: PluginRequest): Promise<Found> => {
  const given = ownMember(request.options.plugins, name)
  const module =
    given === undefined ? await foundModule(name, index, request) : await brought(given)
  if (!("value" in module)) return module
  const reason = pluginProblem(module.value)
  return reason === undefined
    ? { plugin: module.value as Plugin, declared: module.declared }
    : { reason }
}

interface Imported {
  readonly value: unknown
  /** The manifest of its package, if it was read. */
  readonly declared?: Manifest | undefined
}

/** Imports the module only when the host allows it: importing runs its code. */
const foundModule = async (
  name: string,
  index: number,
  { host, options, placeOf, uses }: PluginRequest,
): Promise<Exclude<Found, { readonly plugin: Plugin }> | Imported> => {
  const found = findModule(name, host.root)
  if ("reason" in found) return found
  const { file } = found
  const declared = uses && (await (await import("./readManifest.ts")).readManifest(file))
  if (declared !== undefined && "reason" in declared) return declared
  if (declared !== undefined && uses?.(declared) === false) return { declared }
  const decision =
    (await options.mayLoad?.({ name, file, folder: host.root, place: placeOf(index) })) ?? "load"
  if (decision === "load") {
    const module = await importModule(file)
    return "value" in module ? { ...module, declared } : module
  }
  return decision === "skip"
    ? {
        declared,
        withheld: {
          severity: "warning",
          message: `the plugin "${name}" is left out; ${declared === undefined ? "what it brings is not checked" : "only what its package.json declares is checked"}`,
        },
      }
    : {
        declared,
        withheld: {
          message: `the plugin "${name}" is not loaded: ${decision.refused}`,
          ...(decision.help === undefined ? {} : { help: decision.help }),
        },
      }
}

const brought = async (
  given: () => Promise<Plugin>,
): Promise<Imported | { readonly reason: string }> => {
  try {
    return { value: await given() }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

/** A plugin that was not made by `definePlugin` has its config read by the schema module of this package. */
const configOf = async (plugin: Plugin, given: JsonObject | undefined): Promise<ConfigRead> => {
  if (plugin.config === undefined) {
    return given === undefined || Object.keys(given).length === 0
      ? { value: undefined }
      : { issues: [{ path: [], message: "this plugin takes no config" }] }
  }
  return (plugin.readConfig ?? configReader(plugin.config))(given ?? {})
}

const componentsOf = (plugin: Plugin, config: unknown, { host, purpose }: PluginRequest) => {
  const fixed = plugin.components ?? {}
  return purpose === "check" || plugin.setup === undefined
    ? Effect.succeed(fixed)
    : Effect.map(plugin.setup(config, host), (added): Components => merge(fixed, added))
}

const merge = (fixed: Components, added: Components): Components => {
  const merged: { [kind: string]: ReadonlyArray<unknown> } = { ...fixed }
  for (const [kind, components] of Object.entries(added)) {
    merged[kind] = [...(merged[kind] ?? []), ...components]
  }
  return merged as Components
}
