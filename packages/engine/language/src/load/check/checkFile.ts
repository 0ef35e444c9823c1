/** Checks any file of a project by its `kind`. */
import * as Effect from "effect/Effect"
import { basename, dirname } from "node:path"
import { fileKindOf } from "../../definition/decode.ts"
import { sortDiagnostics } from "../../source/Diagnostic.ts"
import type { CheckedFile } from "../Checked.ts"
import { checkProject } from "./checkProject.ts"
import { checkCatalogAlone } from "./checkToolExpressions.ts"
import { checkUnusedFile } from "./checkUsedFiles.ts"
import { checkWorkflow } from "./checkWorkflow.ts"
import { fileKinds, pluginFileKind, type FileKinds } from "../FileKinds.ts"
import type { LoadOptions } from "../LoadOptions.ts"
import { projectManifests } from "../plugins/manifests.ts"
import { findProject } from "../project.ts"
import { projectFile, projectFolder } from "../projectFolder.ts"
import { Reading } from "../Reading.ts"
import { withholdOutside } from "../withholdOutside.ts"

/** Never fails. A file without a kind is checked as a workflow, or as a project by its name. */
export const checkFile = (path: string, options: LoadOptions = {}): Effect.Effect<CheckedFile> =>
  Effect.flatMap(checkedAsKind(path, options), (checked) =>
    Effect.promise(async () => ({
      ...checked,
      diagnostics: await withholdOutside(
        checked.diagnostics,
        await projectFolder(dirname(path)),
        options.texts,
      ),
    })),
  )

const checkedAsKind = Effect.fnUntraced(function* (
  path: string,
  options: LoadOptions,
): Effect.fn.Return<CheckedFile> {
  const reading = new Reading(options.texts)
  const document = yield* Effect.promise(() => reading.document(path))
  const found = () => ({
    file: path,
    diagnostics: sortDiagnostics(reading.diagnostics),
    sources: reading.sources,
  })
  if (document === undefined) return found()
  const kind = fileKindOf(document)
  const registry = fileKinds(...(options.kinds ?? []))
  const kinds =
    kind === undefined || registry.has(kind)
      ? registry
      : yield* Effect.promise(() => withProjectKinds(path, options))
  const usual = basename(path) === projectFile ? "Project" : "Workflow"
  const registered = kinds.get(kind ?? usual) ?? kinds.get(usual)!
  if (registered.kind === "Workflow") return yield* workflowChecked(path, options)
  if (registered.kind === "Project") return yield* checkProject(path, options)
  const loaded = yield* Effect.promise(registered.load)
  if (loaded.check !== undefined) return yield* loaded.check(path, options)
  const value = reading.decoded(loaded.decode!(document, [...kinds.keys()]))
  if (value !== undefined) {
    const file = { kind: registered.kind, document, value, loaded }
    reading.diagnostics.push(...(yield* checkUnusedFile(file)), ...checkCatalogAlone(file))
  }
  return found()
})

const workflowChecked = (path: string, options: LoadOptions): Effect.Effect<CheckedFile> =>
  Effect.map(Effect.scoped(checkWorkflow(path, options, "check")), ({ diagnostics, sources }) => ({
    file: path,
    diagnostics,
    sources,
  }))

/** Includes the kinds in manifests of the project's plugins, since a file alone loads no plugin. */
const withProjectKinds = async (path: string, options: LoadOptions): Promise<FileKinds> => {
  const project = await findProject(dirname(path), new Reading(options.texts))
  const manifests = await projectManifests(
    Object.keys(project?.project.plugins ?? {}),
    dirname(project?.document.file.path ?? path),
    options,
  )
  return fileKinds(
    ...(options.kinds ?? []),
    ...manifests.flatMap(({ manifest }) =>
      (manifest.contributes.fileKinds ?? []).map(pluginFileKind),
    ),
  )
}
