/** Declared plugins → components: found, checked against the contract, and set up when a run needs them. */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { Manifest, Plugin } from "@planloom/plugin/effect"
import { findModule, importModule, stackOf, type Unusable } from "../../source/loadModule.ts"
import { declaredPlugin } from "./declaredPlugin.ts"
import type { LoadDecision } from "./MayLoad.ts"
import type { PluginProblem, PluginRequest } from "./PluginRequest.ts"
import { openPlugin } from "./openPlugin.ts"
import { pluginProblem, type LoadedPlugin } from "./Registry.ts"
import { ownMember } from "../../definition/ownMember.ts"

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
        ...(found.help === undefined ? {} : { help: found.help }),
        ...(found.stack === undefined ? {} : { stack: found.stack }),
      })
      continue
    }
    const { declared, plugin } = found
    const missing = request.options.missing?.(name) ?? []
    if (missing.length > 0) {
      const packages = missing.join(" ")
      pluginProblems.push({
        code: "PL4045",
        index,
        severity: "warning",
        message: `the plugin "${name}" needs ${packages}, which is not installed`,
        help: `npm install ${packages}`,
      })
    }
    const config = ownMember(request.configs, name)
    const { opened, problems } = yield* openPlugin(name, plugin, config, declared, request)
    if (opened !== undefined) plugins.push(opened)
    pluginProblems.push(...problems.map((problem) => ({ ...problem, index })))
  }
  for (const plugin of request.options.extraPlugins ?? []) {
    const reason = pluginProblem(plugin)
    if (reason !== undefined) {
      const message = `a plugin of the host cannot be used: ${reason}`
      pluginProblems.push({ code: "PL4001", index: -1, message })
      continue
    }
    const { id } = plugin
    const config = ownMember(request.configs, id)
    const { opened, problems } = yield* openPlugin(id, plugin, config, undefined, request)
    if (opened !== undefined) plugins.push(opened)
    pluginProblems.push(...problems.map((problem) => ({ ...problem, index: -1 })))
  }
  return { plugins, pluginProblems }
})

type Found =
  | { readonly plugin: Plugin; readonly declared?: Manifest | undefined }
  | Unusable
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
  { folder, options, placeOf, uses }: PluginRequest,
): Promise<Exclude<Found, { readonly plugin: Plugin }> | Imported> => {
  const found = findModule(name, folder, [
    ...Object.keys(options.plugins ?? {}),
    ...Object.keys(options.manifests ?? {}),
  ])
  if ("reason" in found) return found
  const { file } = found
  const declared = uses && (await (await import("./readManifest.ts")).readManifest(file))
  if (declared !== undefined && "reason" in declared) return declared
  if (declared !== undefined && uses?.(declared) === false) return { declared }
  const { mayLoad } = options
  const decision =
    mayLoad === undefined
      ? "load"
      : decided(await mayLoad({ name, file, folder, place: placeOf(index) }))
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

/** Loads nothing for an unknown decision. */
const decided = (decision: LoadDecision): LoadDecision => {
  if (decision === "load" || decision === "skip") return decision
  if (typeof decision === "object" && typeof decision?.refused === "string") return decision
  return {
    refused: `mayLoad of the host returned ${JSON.stringify(decision)}`,
    help: 'return "load", "skip" or { refused: "the reason" }',
  }
}

const brought = async (given: () => Promise<Plugin>): Promise<Imported | Unusable> => {
  try {
    return { value: await given() }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error), ...stackOf(error) }
  }
}
