/** Any file of a project → everything wrong with it, as its `kind` asks. */
import * as Effect from "effect/Effect"
import { basename, dirname } from "node:path"
import {
  decodeCatalog,
  decodeExamples,
  decodeModels,
  decodePlanTemplate,
  decodeProject,
  fileKindOf,
  ownKinds,
  type OwnKind,
} from "../definition/decode.ts"
import { sortDiagnostics } from "../source/Diagnostic.ts"
import type { Document } from "../source/Document.ts"
import type { CheckedFile } from "./Checked.ts"
import { checkWorkflow } from "./checkWorkflow.ts"
import { kindNames, type LoadOptions } from "./LoadOptions.ts"
import { projectFile, projectFolder } from "./projectFolder.ts"
import { Reading } from "./Reading.ts"
import { withholdOutside } from "./withholdOutside.ts"

/** Never fails. A file that does not say its kind is told what a workflow, or a project, must have. */
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
  const told = {
    file: path,
    diagnostics: sortDiagnostics(reading.diagnostics),
    sources: reading.sources,
  }
  if (document === undefined) return told
  const named = fileKindOf<string>(document, kindNames(ownKinds, options))
  const brought = options.kinds?.find(({ kind }) => kind === named)
  if (brought !== undefined) {
    const { check } = yield* Effect.promise(brought.load)
    return yield* check(path, options)
  }
  const kind = fileKindOf(document) ?? (basename(path) === projectFile ? "Project" : "Workflow")
  switch (kind) {
    case "Workflow": {
      const { diagnostics, sources } = yield* Effect.scoped(checkWorkflow(path, options, "check"))
      return { file: path, diagnostics, sources }
    }
    default:
      decodePart(kind, document, reading)
      return { ...told, diagnostics: sortDiagnostics(reading.diagnostics) }
  }
})

const decodePart = (kind: OwnKind, document: Document, reading: Reading): void => {
  switch (kind) {
    case "Catalog":
      reading.decoded(decodeCatalog(document))
      return
    case "Examples":
      reading.decoded(decodeExamples(document))
      return
    case "Models":
      reading.decoded(decodeModels(document))
      return
    case "PlanTemplate":
      reading.decoded(decodePlanTemplate(document))
      return
    case "Project":
      reading.decoded(decodeProject(document))
      return
    default:
      return
  }
}
