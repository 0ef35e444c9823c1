/** Any file of a project → everything wrong with it, as its `kind` asks. */
import * as Effect from "effect/Effect"
import { basename, dirname } from "node:path"
import { fileKindOf } from "../definition/decode.ts"
import { sortDiagnostics } from "../source/Diagnostic.ts"
import type { CheckedFile } from "./Checked.ts"
import { checkUnusedFile } from "./checkUsedFiles.ts"
import { fileKinds } from "./FileKinds.ts"
import type { LoadOptions } from "./LoadOptions.ts"
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
  const found = () => ({
    file: path,
    diagnostics: sortDiagnostics(reading.diagnostics),
    sources: reading.sources,
  })
  if (document === undefined) return found()
  const kinds = fileKinds(...(options.kinds ?? []))
  const usual = basename(path) === projectFile ? "Project" : "Workflow"
  const registered = kinds.get(fileKindOf(document) ?? usual) ?? kinds.get(usual)!
  const loaded = yield* Effect.promise(registered.load)
  if (loaded.check !== undefined) return yield* loaded.check(path, options)
  const value = reading.decoded(loaded.decode!(document, [...kinds.keys()]))
  if (value !== undefined) {
    const file = { kind: registered.kind, document, value, loaded }
    reading.diagnostics.push(...(yield* checkUnusedFile(file)))
  }
  return found()
})
