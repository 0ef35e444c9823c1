/** An artefact and the plugins of today → a checked workflow that is ready to be compiled. */
import { dirname, isAbsolute, join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { Definition } from "../definition/Definition.ts"
import { promptModes } from "../definition/promptModes.ts"
import { promptSections } from "../definition/promptSections.ts"
import { inputSchema } from "../definition/inputSchema.ts"
import type { RunResources } from "../definition/Resources.ts"
import type { CheckedWorkflow } from "../load/Checked.ts"
import { flagValues } from "../load/settings/flags.ts"
import { knownModels } from "../load/knownModels.ts"
import {
  declaredFrom,
  LateDeclared,
  valuesByKind,
  type DeclaredFiles,
} from "../load/LateDeclared.ts"
import { decisionsIn } from "../load/plugins/FolderDecisions.ts"
import type { LoadOptions } from "../load/LoadOptions.ts"
import { schemasByPath } from "../load/schemasByPath.ts"
import { brokenPromises } from "../load/plugins/brokenPromises.ts"
import { liveTools } from "../load/tools/liveTools.ts"
import { listedTools, listProblems } from "../load/tools/listTools.ts"
import { loadPlugins } from "../load/plugins/plugins.ts"
import { registerEvents } from "../load/registerEvents.ts"
import { register, type LoadedPlugin } from "../load/plugins/Registry.ts"
import type { registerSections } from "../load/SectionKinds.ts"
import { mergeTools, openNames } from "../load/tools/ToolRegistry.ts"
import {
  ArtefactRejected,
  fingerprintOf,
  type Artefact,
  type ArtefactWorkflow,
} from "./Artefact.ts"
import { rebindSections } from "./rebindSections.ts"

/** What stays open when an artefact is built. Environments, settings and models are decided by then. */
export interface ArtefactOptions extends Pick<
  LoadOptions,
  | "extraPlugins"
  | "flag"
  | "flags"
  | "mayLoad"
  | "maySend"
  | "mayStart"
  | "mayTrust"
  | "plugins"
  | "roots"
  | "secret"
> {
  /** Folder from where plugins are found, instead of the workflow's as it was built. */
  readonly root?: string
}

export interface Binding {
  readonly artefact: Artefact
  /** Path of the artefact, or what messages call it. */
  readonly at: string
  readonly options: ArtefactOptions
  /** `check` reads what plugins declare; `load` also sets them up. */
  readonly purpose: "check" | "load"
}

export const bindArtefact = ({
  artefact,
  ...binding
}: Binding): Effect.Effect<CheckedWorkflow, ArtefactRejected, Scope> => {
  const { at, options } = binding
  const { mayLoad } = options
  const folder = dirname(at)
  const root = options.root ?? join(folder, artefact.root)
  return Effect.map(
    bound(artefact.workflow, root, false, {
      ...binding,
      roots: [
        ...artefact.roots.map((one) => resolve(root, one)),
        ...(options.roots ?? []).map((one) => resolve(one)),
      ],
      options:
        mayLoad === undefined
          ? options
          : // By where the artefact is: the folder that it says it comes from may be trusted, and it is not.
            { ...options, mayLoad: (plugin) => mayLoad({ ...plugin, folder }) },
    }),
    (workflow) => (artefact.keep === undefined ? workflow : { ...workflow, keep: artefact.keep }),
  )
}

const bound = (
  part: ArtefactWorkflow,
  root: string,
  nested: boolean,
  binding: Omit<Binding, "artefact"> & Pick<CheckedWorkflow, "roots">,
): Effect.Effect<CheckedWorkflow, ArtefactRejected, Scope> =>
  Effect.gen(function* () {
    const { at, options, purpose } = binding
    const reject = (reason: ArtefactRejected["reason"], message: string, help?: string) =>
      new ArtefactRejected({ reason, message: `${at} cannot be run: ${message}`, help })
    const switched = flagValues(part.definition.flags, options, nested)
    const [wrongFlag] = switched.refused
    if (wrongFlag !== undefined) return yield* reject("flag", wrongFlag.message, wrongFlag.help)
    const definition: Definition = {
      ...part.definition,
      flags: Object.fromEntries(
        Object.entries(part.definition.flags).map(([name, flag]) => [
          name,
          { ...flag, value: switched.values[name] ?? flag.value },
        ]),
      ),
    }
    const secretOf = options.secret ?? ((name: string) => process.env[name])
    const files: DeclaredFiles = new Map(
      Object.entries(part.files).map(([kind, all]) => [
        kind,
        all.map(({ file, value }) => ({ value, path: join(root, file) })),
      ]),
    )
    const declared = new LateDeclared()
    declared.settle(
      declaredFrom(
        { root, roots: binding.roots },
        files,
        part.sections.map(({ file, key, on, value }) => ({
          key,
          on,
          value,
          path: join(root, file),
        })),
      ),
    )
    const { plugins, pluginProblems } = yield* loadPlugins({
      names: part.plugins,
      configs: part.configs,
      folder: root,
      host: {
        root,
        declared: declared.read,
        secret: (name) => (definition.secrets.includes(name) ? secretOf(name) : undefined),
        ...decisionsIn(options, dirname(at)),
      },
      placeOf: () => at,
      options,
      purpose,
    })
    const { components, problems } = register(plugins)
    const registered = yield* Effect.promise(() => registeredSections(plugins))
    const events = registerEvents(plugins)
    const [fault]: ReadonlyArray<{ readonly message: string; readonly help?: string | undefined }> =
      [
        ...pluginProblems,
        ...[...problems, ...registered.problems, ...events.problems].map(({ message, name }) => ({
          message: `the plugin "${name}" cannot be used: ${message}`,
        })),
      ]
    if (fault !== undefined) return yield* reject("plugin", fault.message, fault.help)
    const { embeddings, index } = definition
    if (index === undefined ? components.indexes.size > 1 : !components.indexes.has(index)) {
      const found = [...components.indexes.keys()].join(", ") || "none"
      return yield* reject(
        "plugin",
        `its index is ${index ?? "not named"}, and its plugins have: ${found}`,
      )
    }
    if (embeddings !== undefined && !components.embedders.has(embeddings)) {
      return yield* reject("plugin", `none of its plugins has the embedder "${embeddings}"`)
    }
    const uncheckedKinds = new Set<string>()
    for (const [id, fingerprint] of Object.entries(part.kinds)) {
      const kind = components.stages.get(id)
      if (kind === undefined) {
        return yield* reject("plugin", `none of its plugins has the stage kind "${id}"`)
      }
      if (fingerprint === null) uncheckedKinds.add(id)
      else if (fingerprintOf(kind) !== fingerprint) {
        return yield* reject(
          "changed",
          `the schemas of the stage kind "${id}" have changed since it was built; build it again`,
        )
      }
    }
    // As from files: a source that cannot list its tools now leaves the catalog's entries.
    const listed = yield* listedTools(components.tools.values(), purpose)
    const [broken] = brokenPromises(plugins, listed)
    if (broken !== undefined) {
      return yield* reject("plugin", `the plugin "${broken.name}": ${broken.message}`)
    }
    const tools = mergeTools(listed, part.catalog)
    const live = yield* liveTools(listed, part.catalog)
    const workflows = new Map<string, CheckedWorkflow>()
    for (const [path, inner] of Object.entries(part.workflows)) {
      const folder = dirname(path)
      workflows.set(
        path,
        yield* bound(inner, isAbsolute(folder) ? folder : join(root, folder), true, binding),
      )
    }
    const prompts = new Map(part.prompts.map((prompt) => [prompt.name, prompt]))
    const known =
      components.providers.size + components.embedders.size > 0
        ? yield* Effect.promise(knownModels)
        : []
    const resources: RunResources = {
      components,
      tools: [...tools.values()].map(({ tool }) => tool),
      openTools: openNames(listed),
      files: valuesByKind(files),
      uncheckedKinds,
      events: events.events,
      prompts,
      sections: promptSections(definition, prompts),
      examples: new Map(
        Object.entries(part.examples).map(([file, examples]) => [file, { examples }]),
      ),
      facts: new Map([...known, ...Object.entries(part.facts)]),
      workflows: schemasByPath(workflows),
    }
    const pluginSections = yield* Effect.try({
      try: () =>
        rebindSections(part.sections, {
          kinds: registered.kinds,
          definition,
          resources,
          root,
          reject,
        }),
      catch: (error) => error as ArtefactRejected,
    })
    return {
      definition,
      inputs: inputSchema(definition),
      modes: promptModes(definition, resources),
      resources: { ...resources, pluginSections },
      tools,
      ...(live === undefined ? {} : { liveTools: live }),
      listProblems: listProblems(listed),
      workflows,
      roots: binding.roots,
      secrets: definition.secrets.flatMap((name) => secretOf(name) ?? []),
    }
  })

/** Keys of sections are checked against those of the language, which are loaded only for plugins that bring sections. */
const registeredSections = async (
  plugins: ReadonlyArray<LoadedPlugin>,
): Promise<ReturnType<typeof registerSections>> =>
  plugins.some(({ components }) => (components.sections ?? []).length > 0)
    ? (await import("../load/SectionKinds.ts")).registerSections(plugins)
    : { kinds: { find: () => undefined, keys: () => [] }, problems: [] }
