/** Opens a plugin: reads its config, sets it up when a run needs it, and checks its components. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Scope } from "effect/Scope"
import {
  configReader,
  type ConfigRead,
  type Json,
  type JsonObject,
  type Manifest,
  type Plugin,
  type StageFailed,
} from "@planloom/plugin/effect"
import { hint } from "@planloom/expression/suggestion"
import { usableComponents } from "./componentFaults.ts"
import { missingComponents } from "./missingComponents.ts"
import type { PluginProblem, PluginRequest } from "./PluginRequest.ts"
import type { LoadedPlugin } from "./Registry.ts"
import { stackOf } from "../../source/loadModule.ts"

export interface OpenedPlugin {
  /** Undefined for one that cannot be used at all. */
  readonly opened?: LoadedPlugin
  readonly problems: ReadonlyArray<Omit<PluginProblem, "index">>
}

export const openPlugin = (
  name: string,
  plugin: Plugin,
  given: JsonObject | undefined,
  declared: Manifest | undefined,
  request: PluginRequest,
): Effect.Effect<OpenedPlugin, never, Scope> =>
  Effect.gen(function* () {
    const config = yield* Effect.exit(Effect.promise(() => configOf(plugin, given)))
    if (Exit.isFailure(config)) {
      return broken(`the config of "${name}" cannot be read`, config.cause)
    }
    if ("issues" in config.value) {
      return {
        problems: config.value.issues.map(({ known, message, path }) => ({
          code: "PL4002" as const,
          message: `the config of "${name}" does not fit: ${path.length === 0 ? "" : `${path.join(".")}: `}${message}`,
          configPath: path,
          ...(given === undefined
            ? {
                help: `write it under plugins: { ${JSON.stringify(name)}: { … } } in planloom.yaml`,
              }
            : known === undefined
              ? {}
              : { help: hint(String(path.at(-1)), known, "known here"), isKey: true }),
        })),
      }
    }
    const added = yield* Effect.exit(setUp(plugin, config.value.value, request))
    if (Exit.isFailure(added)) {
      const failure = Exit.findErrorOption(added)
      return failure._tag === "Some"
        ? { problems: [setupProblem(name, failure.value)] }
        : broken(`the plugin "${name}" could not be set up`, added.cause)
    }
    const parts = [usableComponents(plugin.components ?? {}), usableComponents(added.value)]
    const components = merge(parts.map((part) => part.components))
    const missing = missingComponents(plugin, components, declared, request.purpose === "check")
    const faults = parts.flatMap((part) => part.faults)
    return {
      opened: {
        name,
        plugin,
        components,
        config: config.value.value,
        ...(request.host.declared && { declared: request.host.declared }),
      },
      problems: [
        ...faults.map((fault) => ({
          code: "PL4001" as const,
          message: `the plugin "${name}" is malformed: ${fault}`,
        })),
        ...(missing.length === 0 || faults.length > 0
          ? []
          : [
              {
                code: "PL4001" as const,
                message: `the plugin "${name}" does not have what it promises: ${missing.join(", ")}`,
                help: "return it from setup or list it under components; otherwise remove it from provides and from the package's planloom key",
              },
            ]),
      ],
    }
  })

/** The code of the plugin threw. */
const broken = (what: string, cause: Cause.Cause<unknown>): OpenedPlugin => {
  const error = Cause.squash(cause)
  return {
    problems: [
      {
        code: "PL4001",
        message: `${what}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
        ...stackOf(error),
      },
    ],
  }
}

/** An `invalid_request` of `setup` is a problem of the plugin's config, at `detail.path`. */
const setupProblem = (name: string, failure: StageFailed): Omit<PluginProblem, "index"> => {
  const { class: kind, detail, message } = failure
  const text = `the plugin "${name}" could not be set up: ${message}`
  if (kind !== "invalid_request") return { code: "PL4001", message: text, failure }
  const { path } = (detail ?? {}) as { readonly path?: Json }
  return { code: "PL4002", message: text, configPath: isPath(path) ? path : [], failure }
}

const isPath = (path: Json | undefined): path is ReadonlyArray<string | number> =>
  Array.isArray(path) && path.every((key) => typeof key === "string" || typeof key === "number")

/** A plugin that was not made by `definePlugin` has its config read by the schema module of this package. */
const configOf = async (plugin: Plugin, given: JsonObject | undefined): Promise<ConfigRead> => {
  if (plugin.config === undefined) {
    return given === undefined || Object.keys(given).length === 0
      ? { value: undefined }
      : { issues: [{ path: [], message: "this plugin takes no config" }] }
  }
  return (plugin.readConfig ?? configReader(plugin.config))(given ?? {})
}

/** The components that `setup` adds. */
const setUp = (
  plugin: Plugin,
  config: unknown,
  { host, purpose }: PluginRequest,
): Effect.Effect<unknown, StageFailed, Scope> =>
  Effect.suspend(() => {
    if (purpose === "check" || plugin.setup === undefined) return Effect.succeed({})
    const made: unknown = plugin.setup(config, host)
    return Effect.isEffect(made)
      ? (made as ReturnType<typeof plugin.setup>)
      : Effect.die(
          new TypeError(
            "`setup` returned no Effect; for an async function use definePlugin of @planloom/plugin",
          ),
        )
  })

const merge = (parts: ReadonlyArray<LoadedPlugin["components"]>): LoadedPlugin["components"] => {
  const merged: { [kind: string]: ReadonlyArray<unknown> } = {}
  for (const part of parts) {
    for (const [kind, components] of Object.entries(part)) {
      merged[kind] = [...(merged[kind] ?? []), ...components]
    }
  }
  return merged
}
