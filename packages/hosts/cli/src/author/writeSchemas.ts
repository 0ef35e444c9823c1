/** Implements `planloom schema`: writes the JSON Schemas of all file kinds for editors. */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { Contributes, SectionOwner, StageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { bundledPlugins } from "../project/bundledPlugins.ts"
import { fileKinds } from "../project/fileKinds.ts"
import { pluginOptions } from "../project/pluginOptions.ts"
import { projectFile, workflowFiles } from "../project/projectFiles.ts"
import { suggestion } from "../project/nearest.ts"
import { unwritten, usage } from "../Refused.ts"
import { print, say, stderr } from "../terminal/Screen.ts"
import { mayWrite } from "../trust/mayWrite.ts"
import { writeInOneStep } from "./writeInOneStep.ts"

export interface SchemaFlags {
  readonly kind: string | undefined
  readonly out: string | undefined
}

/** Folder that the first line of a workflow refers an editor to. */
export const SCHEMA_FOLDER = join(".planloom", "schema")

export const writeSchemas: Handler<SchemaFlags> = ({ kind, out }) =>
  Effect.gen(function* () {
    if (kind !== undefined) {
      const schemas = yield* allSchemas
      const names = [...schemas.keys()]
      const found = schemas.get(schemaName(kind))
      if (found === undefined) {
        return yield* usage(`there is no file kind "${kind}"`, suggestion(kind, names))
      }
      print(JSON.stringify(found, null, 2))
      return "ok" as ExitName
    }
    const written = yield* schemasInto(out ?? SCHEMA_FOLDER)
    for (const path of written) print(path)
    say(
      stderr.style.dim(
        "the first line of a workflow refers to it: # yaml-language-server: $schema=../.planloom/schema/workflow.json",
      ),
    )
    return "ok" as ExitName
  })

/** Writes one file per kind and returns their paths. */
export const schemasInto = Effect.fnUntraced(function* (folder: string) {
  const schemas = yield* allSchemas
  yield* mayWrite(folder, { typed: true })
  return yield* Effect.tryPromise({
    try: async () => {
      await mkdir(folder, { recursive: true })
      return await Promise.all(
        [...schemas].map(async ([name, schema]) => {
          const path = join(folder, `${name}.json`)
          // Replaces a link instead of the file that it leads to.
          await writeInOneStep(path, `${JSON.stringify(schema, null, 2)}\n`, (draft) =>
            draft.chmod(0o666 & ~process.umask()),
          )
          return path
        }),
      )
    },
    catch: (error) => unwritten(`the schemas cannot be written to ${folder}`, error),
  })
})

/** JSON Schema of every file kind, by its name on the command line. */
const allSchemas = Effect.gen(function* () {
  const { contributedBy, ownKinds, pluginFileKind, schemaOf, switchKind } = yield* Effect.promise(
    () => import("@planloom/language"),
  )
  const options = yield* pluginOptions
  const workflows = yield* Effect.promise(workflowFiles)
  const manifests = yield* Effect.promise(() => contributedBy([...workflows, projectFile], options))
  const contributes = manifests.map((manifest) => manifest.contributes)
  const sectionsOn = (on: SectionOwner) =>
    Object.fromEntries(contributes.flatMap(({ sections }) => Object.entries(sections?.[on] ?? {})))
  const sections = {
    workflow: sectionsOn("workflow"),
    stage: sectionsOn("stage"),
    project: sectionsOn("project"),
  }
  const known = [switchKind, ...contributes.flatMap(declaredStages), ...(yield* stageKinds)]
  const stages = [...new Map(known.map((kind) => [kind.id, kind])).values()]
  const kinds = [
    ...fileKinds,
    ...contributes.flatMap((one) => (one.fileKinds ?? []).map(pluginFileKind)),
  ]
  const brought = yield* Effect.promise(() =>
    Promise.all(kinds.map(async ({ kind, load }) => [kind, (await load()).schema] as const)),
  )
  return new Map(
    [...ownKinds.map((kind) => [kind, schemaOf(kind, stages, sections)] as const), ...brought].map(
      ([kind, schema]) => [schemaName(kind), schema],
    ),
  )
})

/** Stage kinds whose input a manifest gives. */
const declaredStages = ({ components }: Contributes) =>
  Object.entries(components?.stages ?? {}).flatMap(([id, { input, summary = id }]) =>
    input === undefined ? [] : [{ id, summary, input }],
  )

/** Stage kinds of the bundled plugins and of the plugins of the project's workflows; editors complete their `with`. */
const stageKinds: Effect.Effect<ReadonlyArray<StageKind>> = Effect.gen(function* () {
  const { check } = yield* Effect.promise(() => import("@planloom/embed"))
  const bundled = yield* Effect.promise(() =>
    Promise.all(Object.values(bundledPlugins).map((load) => load())),
  )
  const workflows = yield* Effect.promise(workflowFiles)
  const options = yield* pluginOptions
  const checked = yield* Effect.forEach(workflows, (path) => check(path, options))
  const kinds = [
    ...bundled.flatMap(({ components }) => components?.stages ?? []),
    ...checked.flatMap(({ workflow }) => [
      ...(workflow?.resources.components.stages.values() ?? []),
    ]),
  ]
  return [...new Map(kinds.map((kind) => [kind.id, kind])).values()]
})

/** Converts `PlanTemplate` to `plan_template`. */
const schemaName = (kind: string): string =>
  kind
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase()
