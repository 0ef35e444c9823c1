/** Checks a workflow with all its files; without errors, the result contains everything that compiling it needs. */
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { JsonSchema } from "@planloom/plugin/effect"
import { check as checkDefinition } from "../../definition/check.ts"
import { decodeWorkflow } from "../../definition/decode.ts"
import { promptModes } from "../../definition/promptModes.ts"
import { promptSections } from "../../definition/promptSections.ts"
import { inputSchema } from "../../definition/inputSchema.ts"
import { locateProblem } from "../../definition/Problem.ts"
import type { ExtraKey } from "../../definition/Shape.ts"
import type { Resources } from "../../definition/Resources.ts"
import { hasErrors, placeText, sortDiagnostics } from "../../source/Diagnostic.ts"
import type { Document } from "../../source/Document.ts"
import { mergeTools, openNames } from "../tools/ToolRegistry.ts"
import type { Checked } from "../Checked.ts"
import { configsByName } from "../plugins/configKey.ts"
import { fileKinds, pluginFileKind } from "../FileKinds.ts"
import { givenProblems, withGivenSources } from "../tools/givenSources.ts"
import { decisionsIn } from "../plugins/FolderDecisions.ts"
import { declaredFrom, LateDeclared, valuesByKind } from "../LateDeclared.ts"
import type { LoadOptions } from "../LoadOptions.ts"
import { namedWorkflows, nestedWorkflows } from "../nestedWorkflows.ts"
import { schemasByPath } from "../schemasByPath.ts"
import { loadPlugins } from "../plugins/plugins.ts"
import { flagSettings } from "../settings/flags.ts"
import { findProject, readFacts, type FoundProject } from "../project.ts"
import { projectFolder } from "../projectFolder.ts"
import { Reading } from "../Reading.ts"
import { namelessSources, register } from "../plugins/Registry.ts"
import { rootsOf } from "../rootsOf.ts"
import { registerEvents } from "../registerEvents.ts"
import { registerSections } from "../SectionKinds.ts"
import { bindSections, projectExtras, usedExtras, writtenSections } from "../sections.ts"
import { readExamples, readPrompts } from "../resources.ts"
import { withSettings, type Setting } from "../settings/settings.ts"
import { strayIn, strayProblem, type Stray } from "../settings/straySettings.ts"
import { settingsOf, withProject } from "../settings/environment.ts"
import { reportPluginProblems } from "../plugins/reportPluginProblems.ts"
import { brokenPromises } from "../plugins/brokenPromises.ts"
import { checkCatalogTools, checkListedTools } from "./checkToolExpressions.ts"
import { checkUsedFiles } from "./checkUsedFiles.ts"
import { liveTools } from "../tools/liveTools.ts"
import { listProblems, listTools } from "../tools/listTools.ts"
import { projectManifests } from "../plugins/manifests.ts"
import { Met } from "../Met.ts"
import { schemaFault } from "../plugins/schemaFault.ts"
import { contentsOf, decodeUsedFiles, openUsedFiles } from "../usedFiles.ts"
import { withholdOutside } from "../withholdOutside.ts"
import { ownMember } from "../../definition/ownMember.ts"

/** Reads everything that the workflow needs, once; `within` lists the enclosing workflows. */
export const checkWorkflow = Effect.fnUntraced(function* (
  path: string,
  options: LoadOptions,
  purpose: "check" | "load",
  within: ReadonlyArray<string> = [],
  /** The caller's settings that match nothing in this workflow and the enclosing ones. */
  strays = new Map<Setting, Stray>(),
): Effect.fn.Return<Checked, never, Scope> {
  const reading = new Reading(options.texts)
  const checked = (workflow?: Checked["workflow"]) =>
    Effect.promise(async (): Promise<Checked> => ({
      file: path,
      diagnostics: sortDiagnostics(
        await withholdOutside(
          reading.diagnostics,
          await projectFolder(dirname(path)),
          options.texts,
        ),
      ),
      sources: reading.sources,
      workflow,
    }))
  const source = yield* Effect.promise(() => reading.document(path))
  if (source === undefined) return yield* checked()
  const project = yield* Effect.promise(() => findProject(dirname(path), reading))
  const roots = yield* Effect.promise(() => rootsOf(dirname(path), project, options))
  reading.allow(roots)
  const switched = flagSettings(source, options, reading, within.length > 0)
  const set = findStrays(source, options, project, within.length > 0, strays)
  const document = withSettings(
    source,
    settingsOf(project, { ...options, set: [...switched, ...set] }, reading),
  )
  const extras: Array<ExtraKey> = []
  const read = reading.decoded(
    decodeWorkflow(document, [...fileKinds(...(options.kinds ?? [])).keys()], extras),
  )
  if (read === undefined) return yield* checked()
  const definition = withProject(read, project, options)

  const opened = yield* Effect.promise(() => openUsedFiles(definition, document, reading))
  const manifests = yield* Effect.promise(() =>
    projectManifests(
      Object.keys(project?.project.plugins ?? {}),
      dirname(project?.document.file.path ?? path),
      options,
    ),
  )
  const met = new Met(definition, opened, [...extras, ...(project?.extras ?? [])])
  const secretOf = options.secret ?? ((name: string) => process.env[name])
  const root = dirname(project?.document.file.path ?? path)
  const declared = new LateDeclared()
  const configs = configsByName(project, definition.use.plugins, dirname(path))
  const { plugins, pluginProblems } = yield* loadPlugins({
    names: definition.use.plugins,
    configs,
    folder: dirname(path),
    host: {
      root,
      declared: declared.read,
      secret: (name) => (definition.secrets.includes(name) ? secretOf(name) : undefined),
      ...decisionsIn(options, dirname(path)),
    },
    placeOf: (index) =>
      placeText({ file: path, start: document.spanOf(["use", "plugins", index]).start }),
    options,
    uses: (manifest) => met.usesOf(manifest),
    purpose,
  })
  const { components: own, owners, problems } = register(plugins)
  const components = withGivenSources(own, options.sources)
  const registered = registerSections(plugins)
  const events = registerEvents(plugins)
  reportPluginProblems(reading, document, project, definition, [
    ...pluginProblems,
    ...[...problems, ...registered.problems, ...events.problems].map(({ message, name }) => ({
      code: "PL4001" as const,
      message,
      index: definition.use.plugins.indexOf(name),
    })),
  ])
  const kinds = fileKinds(
    ...(options.kinds ?? []),
    ...plugins.flatMap(({ components: { fileKinds: brought = [] } }) =>
      brought.filter(({ schema }) => isUsable(schema)).map(pluginFileKind),
    ),
  )
  const used = yield* Effect.promise(() => decodeUsedFiles(opened, reading, kinds, manifests))
  const written = [
    ...(project === undefined ? [] : [projectExtras(project, registered.kinds, manifests)]),
    ...usedExtras(used),
    { document, extras },
  ].map((one) => writtenSections(one.document, one.extras, registered.kinds, manifests))
  reading.diagnostics.push(...written.flatMap(({ diagnostics }) => diagnostics))
  const contents = yield* Effect.promise(() => contentsOf(used, reading))
  declared.settle(
    declaredFrom(
      { root, roots },
      contents.files,
      written.flatMap(({ sections }) =>
        sections.flatMap(({ document: { file }, extra: { key, on, value }, isBroken }) =>
          isBroken ? [] : [{ key, on, value, path: file.path }],
        ),
      ),
    ),
  )
  const listed = yield* listTools(components, document, reading, purpose)
  reportPluginProblems(
    reading,
    document,
    project,
    definition,
    brokenPromises(plugins, listed, options.sources).map(({ message, name }) => ({
      code: "PL4001",
      message: `the plugin "${name}": ${message}`,
      index: definition.use.plugins.indexOf(name),
    })),
  )
  const files = yield* Effect.promise(async () => ({
    prompts: await readPrompts(definition, document, reading),
    examples: await readExamples(definition, document, reading),
    facts: await readFacts(project, reading),
  }))
  const tools = mergeTools(listed, contents.tools)
  const live = purpose === "load" ? yield* liveTools(listed, contents.tools) : undefined
  const known: Resources = {
    components,
    owners,
    tools: [...tools.values()].map(({ tool }) => tool),
    openTools: openNames(listed),
    namelessSources: namelessSources(components, owners),
    files: valuesByKind(contents.files),
    declared: declared.read(),
    prompts: files.prompts,
    sections: promptSections(definition, files.prompts),
    examples: files.examples,
    facts: files.facts,
    events: events.events,
    roots,
    ...(options.manifests && { manifests: options.manifests }),
  }
  const workflows = yield* nestedWorkflows({
    document,
    named: namedWorkflows(definition, known),
    user: definition.user,
    reading,
    within: [...within, path],
    check: (inner, around) => checkWorkflow(inner, options, purpose, around, strays),
  })
  // In a workflow inside, the source may be one of another.
  const isAlone = within.length === 0 && workflows.size === 0
  for (const { message, source: id } of isAlone ? givenProblems(own, options.sources) : []) {
    reading.diagnostics.push({
      ...locateProblem(document, { code: "PL4025", message, path: ["use"] }),
      given: `sources.${id}`,
    })
  }
  if (within.length === 0) {
    for (const [{ path: named }, stray] of strays) {
      reading.diagnostics.push(locateProblem(document, strayProblem(named, stray)))
    }
  }
  const around = { ...known, workflows: schemasByPath(workflows) }
  const bound = bindSections(
    written.flatMap(({ sections }) => sections),
    definition,
    around,
  )
  const resources = { ...around, pluginSections: bound.sections }
  const isBroken = hasErrors(reading.diagnostics)
  const isFileMissing = reading.diagnostics.some(({ code }) => code === "PL4011")
  const found = [
    ...checkDefinition(definition, resources, document, reading.diagnostics),
    ...bound.diagnostics,
    ...(yield* checkUsedFiles(used, definition, resources)),
    ...checkCatalogTools(used, tools, components.tools, options.manifests),
    ...checkListedTools(listed, document),
  ]
  const isWhole =
    pluginProblems.every(({ isDeclared }) => isDeclared) &&
    // Where `use` cannot be decoded, it may have named the plugins.
    !(definition.use.plugins.length === 0 && isBroken)
  reading.diagnostics.push(
    ...found.filter(
      ({ code }) =>
        (isWhole || !missingWithPlugin.has(code)) && (!isFileMissing || !missingWithFile.has(code)),
    ),
  )
  const isIncomplete = reading.diagnostics.some(({ code }) => code === "PL4024")
  if (isIncomplete || hasErrors(reading.diagnostics)) return yield* checked()

  const secrets = definition.secrets.flatMap((name) => secretOf(name) ?? [])
  const keep = project?.project.runs?.keep
  return yield* checked({
    definition,
    inputs: inputSchema(definition),
    modes: promptModes(definition, resources),
    resources,
    tools,
    ...(live === undefined ? {} : { liveTools: live }),
    listProblems: listProblems(listed),
    workflows,
    secrets,
    roots,
    origin: {
      path,
      project: project?.document.file.path,
      catalog: contents.tools,
      files: contents.files,
      plugins: definition.use.plugins.filter(
        (name) => !plugins.some((plugin) => plugin.isDeclared && plugin.name === name),
      ),
      configs,
    },
    ...(keep === undefined ? {} : { keep }),
  })
})

/** The caller's settings that match something here. One that matches in a nested workflow is not stray. */
const findStrays = (
  { value }: Document,
  { environment, set = [] }: LoadOptions,
  project: FoundProject | undefined,
  inside: boolean,
  strays: Map<Setting, Stray>,
): ReadonlyArray<Setting> => {
  const of =
    environment === undefined ? undefined : ownMember(project?.project.environments, environment)
  const models = Object.keys({ ...project?.project.models, ...of?.models })
  return set.filter((setting) => {
    const stray = strayIn(value, setting, set, models)
    if (stray === undefined) strays.delete(setting)
    else if (!inside) strays.set(setting, stray)
    return stray === undefined
  })
}

const isUsable = (schema: JsonSchema): boolean => schemaFault(schema) === undefined

/** Drops unknown ids that a plugin which failed to load may provide. */
const missingWithPlugin: ReadonlySet<string> = new Set([
  "PL4003",
  "PL4008",
  "PL4010",
  "PL4025",
  "PL4032",
  "PL4044",
  "PL4046",
])

/** Unknown tools, which a file that cannot be read may have. */
const missingWithFile: ReadonlySet<string> = new Set(["PL4008"])
