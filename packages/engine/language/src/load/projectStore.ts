/** The store that records the runs of a project: found by its id among the plugins, and opened by its plugin. */
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { hint } from "@planloom/expression/suggestion"
import {
  StoreFailed,
  storeFailures,
  type Json,
  type JsonObject,
  type RunStore,
} from "@planloom/plugin/effect"
import { locateProblem } from "../definition/Problem.ts"
import { ownMember } from "../definition/ownMember.ts"
import { hasErrors, placeText, type Diagnostic } from "../source/Diagnostic.ts"
import type { Sources } from "./Checked.ts"
import type { LoadOptions } from "./LoadOptions.ts"
import { projectManifests, type NamedManifest } from "./plugins/manifests.ts"
import type { PluginProblem, PluginRequest } from "./plugins/PluginRequest.ts"
import { loadPlugins } from "./plugins/plugins.ts"
import { findProject, type FoundProject } from "./project.ts"
import { Reading } from "./Reading.ts"
import type { LoadedPlugin } from "./plugins/Registry.ts"

/** Of a project without `runs: { store: … }`, and of a folder without a project file. */
export const DEFAULT_STORE = "sqlite"

export interface ProjectStore {
  readonly id: string
  /** Name of its plugin, as under `plugins`. */
  readonly plugin: string
  /** Config of its plugin. */
  readonly config: JsonObject
  /** Folder of the project file, the base of relative paths in the config; empty without one, for the working folder. */
  readonly root: string
  /** Sets the plugin up; closing the scope releases it. */
  readonly open: Effect.Effect<RunStore, StoreFailed, Scope>
}

export interface FoundStore {
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly sources: Sources
  /** Undefined when there is an error. */
  readonly store: ProjectStore | undefined
}

/** Reads the project file at or above a folder. Imports the plugin that has the store, and does not set it up. */
export const projectStore = Effect.fnUntraced(function* (
  folder: string,
  options: LoadOptions = {},
): Effect.fn.Return<FoundStore> {
  const reading = new Reading(options.texts)
  const project = yield* Effect.promise(() => findProject(folder, reading))
  const store = hasErrors(reading.diagnostics)
    ? undefined
    : yield* chosenStore(project, folder, options, reading)
  return { diagnostics: reading.diagnostics, sources: reading.sources, store }
})

/** Reports what prevents the project's choice in `reading`. */
export const chosenStore = Effect.fnUntraced(function* (
  project: FoundProject | undefined,
  folder: string,
  options: LoadOptions,
  reading: Reading,
): Effect.fn.Return<ProjectStore | undefined> {
  const id = project?.project.runs?.store ?? DEFAULT_STORE
  const root = project === undefined ? "" : dirname(project.document.file.path)
  const configs = project?.project.plugins ?? {}
  const manifests = yield* Effect.promise(() =>
    projectManifests(Object.keys(configs), project === undefined ? folder : root, options),
  )
  const names = candidates(id, Object.keys(configs), manifests)
  const secrets = project?.project.runs?.secrets ?? []
  const secretOf = options.secret ?? ((name: string) => process.env[name])
  const request: PluginRequest = {
    names,
    configs,
    folder: project === undefined ? folder : root,
    host: { root, secret: (name) => (secrets.includes(name) ? secretOf(name) : undefined) },
    placeOf: (index) =>
      project === undefined
        ? folder
        : placeText({
            file: project.document.file.path,
            start: project.document.spanOf(["plugins", names[index]!], "key").start,
          }),
    options: { ...options, extraPlugins: [] },
    purpose: "check",
  }
  const { pluginProblems, plugins } = yield* Effect.scoped(loadPlugins(request))
  const owner = plugins.find((plugin) => storesOf(plugin).includes(id))
  if (owner !== undefined) {
    const { name } = owner
    return {
      id,
      plugin: name,
      config: ownMember(configs, name) ?? {},
      root,
      open: opened(id, { ...request, names: [name], purpose: "load" }, project),
    }
  }
  for (const one of pluginProblems) reading.diagnostics.push(problemOf(one, names, project))
  if (pluginProblems.length === 0 && project !== undefined) {
    const known = [
      ...plugins.flatMap(storesOf),
      ...manifests.flatMap(({ manifest }) => Object.keys(declaredStores(manifest))),
    ]
    reading.diagnostics.push(
      locateProblem(project.document, {
        code: "PL4031",
        message: `there is no store "${id}"`,
        path: ["runs", "store"],
        help: `${hint(id, [...new Set(known)], "there are") ?? "no plugin has one"}; more come from plugins under plugins: { … }`,
      }),
    )
  }
  return undefined
})

const declaredStores = ({ contributes }: NamedManifest["manifest"]) =>
  contributes.components?.stores ?? {}

/** The plugin whose manifest declares the store; without one, all plugins that only their code describes. */
const candidates = (
  id: string,
  named: ReadonlyArray<string>,
  manifests: ReadonlyArray<NamedManifest>,
): ReadonlyArray<string> => {
  const having = manifests.filter(({ manifest }) => Object.hasOwn(declaredStores(manifest), id))
  const first = having.find(({ name }) => named.includes(name)) ?? having[0]
  return first === undefined
    ? named.filter((name) => !manifests.some((one) => one.name === name))
    : [first.name]
}

const storesOf = ({ components, plugin }: LoadedPlugin): ReadonlyArray<string> => [
  ...(components.stores ?? []).map((store) => store.id),
  ...(plugin.provides?.stores ?? []),
]

const opened = (
  id: string,
  request: PluginRequest,
  project: FoundProject | undefined,
): ProjectStore["open"] =>
  Effect.gen(function* () {
    const { pluginProblems, plugins } = yield* loadPlugins(request)
    const [problem] = pluginProblems
    if (problem !== undefined) {
      const { configPath, failure, message } = problem
      const place =
        configPath === undefined || project === undefined
          ? ""
          : `${placeText(problemOf(problem, request.names, project))} `
      return yield* new StoreFailed({
        reason: reasonIn(failure?.detail),
        message: `${place}${failure?.message ?? message}`,
      })
    }
    const store = plugins[0]?.components.stores?.find((one) => one.id === id)
    return (
      store ?? (yield* unavailable(`the plugin "${request.names[0]!}" returned no store "${id}"`))
    )
  })

/** The reason of the store's own failure, which a plugin may give. */
const reasonIn = (detail: Json | undefined): StoreFailed["reason"] => {
  const { store } = (detail ?? {}) as { readonly store?: Json }
  return typeof store === "string" && Object.hasOwn(storeFailures, store)
    ? (store as StoreFailed["reason"])
    : "unavailable"
}

const unavailable = (message: string) => new StoreFailed({ reason: "unavailable", message })

const problemOf = (
  { code, configPath = [], help, index, message, severity }: PluginProblem,
  names: ReadonlyArray<string>,
  project: FoundProject | undefined,
): Diagnostic => {
  const name = names[index]!
  // Only a plugin of the host is used without a project file: a defect of the host's installation.
  if (project === undefined) throw new Error(message)
  const isNamed = ownMember(project.project.plugins, name) !== undefined
  return locateProblem(project.document, {
    code,
    message,
    help,
    ...(isNamed
      ? { path: ["plugins", name, ...configPath], ...(configPath.length === 0 && { spot: "key" }) }
      : { path: ["runs", "store"] }),
    ...(severity === undefined ? {} : { severity }),
  })
}
