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
  type FileKind,
} from "../definition/decode.ts"
import { hasErrors, sortDiagnostics, type Diagnostic } from "../source/Diagnostic.ts"
import type { Document } from "../source/Document.ts"
import type { Sources } from "./Checked.ts"
import { checkEvaluation } from "./checkEvaluation.ts"
import { checkWorkflow } from "./checkWorkflow.ts"
import { checkWorkflowTest } from "./checkWorkflowTest.ts"
import { evaluationCases } from "./evaluationCases.ts"
import type { LoadOptions } from "./LoadOptions.ts"
import { projectFile, projectFolder } from "./projectFolder.ts"
import { beside, Reading } from "./Reading.ts"
import { readEvaluation } from "./readEvaluation.ts"
import { readWorkflowTest } from "./readWorkflowTest.ts"
import { variantDiagnostics } from "./variantDiagnostics.ts"
import { withholdOutside } from "./withholdOutside.ts"
import { asTested, variantKey, withVariant } from "./withVariant.ts"

export interface CheckedFile {
  readonly file: string
  /** In reading order, all of them; those of files it names as well. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly sources: Sources
}

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
  const kind = fileKindOf(document) ?? (basename(path) === projectFile ? "Project" : "Workflow")
  switch (kind) {
    case "Workflow": {
      const { diagnostics, sources } = yield* Effect.scoped(checkWorkflow(path, options, "check"))
      return { file: path, diagnostics, sources }
    }
    case "WorkflowTest":
      return yield* checkTest(path, options)
    case "Evaluation":
      return yield* checkWholeEvaluation(path, options)
    default:
      decodePart(kind, document, reading)
      return { ...told, diagnostics: sortDiagnostics(reading.diagnostics) }
  }
})

const decodePart = (kind: FileKind, document: Document, reading: Reading): void => {
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

/** The test's own diagnostics; those of its workflow are the workflow's. */
const checkTest = Effect.fnUntraced(function* (path: string, options: LoadOptions) {
  const { diagnostics, document, sources, test } = yield* readWorkflowTest(path, options.texts)
  if (document === undefined || test === undefined || test.workflow === "") {
    return { file: path, diagnostics, sources }
  }
  const checked = yield* Effect.scoped(
    checkWorkflow(beside(path, test.workflow), asTested(options, {}), "check"),
  )
  const unread = checked.diagnostics.filter(
    ({ code, file }) => code === "PL0001" && file === checked.file,
  )
  const found =
    checked.workflow === undefined
      ? [...unread]
      : [...checkWorkflowTest(document, test, checked.workflow.pipeline)]
  if (checked.workflow !== undefined) {
    const read = new Set([variantKey({})])
    for (const [index, { expect, given, name }] of test.tests.entries()) {
      const key = variantKey(given)
      if (read.has(key) || expect.diagnostics !== undefined) continue
      read.add(key)
      const { diagnostics: wrong } = yield* Effect.scoped(
        checkWorkflow(beside(path, test.workflow), asTested(options, given), "check"),
      )
      const at = ["tests", index, "given"]
      found.push(...variantDiagnostics(wrong, document, at, given, `test "${name}"`))
    }
  }
  return {
    file: path,
    diagnostics: sortDiagnostics([...diagnostics, ...found]),
    sources: new Map([...checked.sources, ...sources]),
  }
})

/** With its rows; the diagnostics of its workflow are the workflow's, unless a variant is the cause. */
const checkWholeEvaluation = Effect.fnUntraced(function* (path: string, options: LoadOptions) {
  const { diagnostics, document, evaluation, sources } = yield* readEvaluation(path, options.texts)
  if (document === undefined || evaluation === undefined || evaluation.workflow === "") {
    return { file: path, diagnostics, sources }
  }
  const workflow = beside(path, evaluation.workflow)
  const checked = yield* Effect.scoped(checkWorkflow(workflow, options, "check"))
  const found = [
    ...diagnostics,
    ...checked.diagnostics.filter(({ code, file }) => code === "PL0001" && file === workflow),
  ]
  if (checked.workflow !== undefined) {
    const { pipeline } = checked.workflow
    found.push(...checkEvaluation(document, evaluation, pipeline))
    for (const [name, variant] of Object.entries(evaluation.variants)) {
      const read = yield* Effect.scoped(
        checkWorkflow(workflow, withVariant(options, variant), "check"),
      )
      found.push(
        ...variantDiagnostics(
          read.diagnostics,
          document,
          ["variants", name],
          variant,
          `variant ${name}`,
        ),
      )
    }
    if (!hasErrors(found))
      found.push(...(yield* Effect.promise(() => wrongRows(document, evaluation, pipeline))))
  }
  return {
    file: path,
    diagnostics: sortDiagnostics(found),
    sources: new Map([...checked.sources, ...sources]),
  }
})

const wrongRows = async (
  ...given: Parameters<typeof evaluationCases>
): Promise<ReadonlyArray<Diagnostic>> => {
  const wrong: Array<Diagnostic> = []
  for await (const one of evaluationCases(...given)) {
    if ("severity" in one) wrong.push(one)
  }
  return wrong
}
