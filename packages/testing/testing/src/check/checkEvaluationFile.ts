/** An evaluation file → everything wrong with it and its rows, held against its workflow. */
import * as Effect from "effect/Effect"
import { hasErrors, beside, sortDiagnostics } from "@planloom/language"
import { check } from "@planloom/embed"
import type { Diagnostic, LoadOptions } from "@planloom/language"
import { checkEvaluation } from "./checkEvaluation.ts"
import { evaluationCases } from "../rows/evaluationCases.ts"
import { readEvaluation } from "../file/readEvaluation.ts"
import { variantDiagnostics } from "./variantDiagnostics.ts"
import { withVariant } from "../file/withVariant.ts"

/** With its rows; the diagnostics of its workflow are the workflow's, unless a variant is the cause. */
export const checkEvaluationFile = Effect.fnUntraced(function* (
  path: string,
  options: LoadOptions,
) {
  const { diagnostics, document, evaluation, sources } = yield* readEvaluation(path, options.texts)
  if (document === undefined || evaluation === undefined || evaluation.workflow === "") {
    return { file: path, diagnostics, sources }
  }
  const workflow = beside(path, evaluation.workflow)
  const { sources: given } = evaluation.given
  const reads = withVariant(options, { sources: given })
  const checked = yield* check(workflow, reads)
  const found = [
    ...diagnostics,
    ...(given === undefined
      ? checked.diagnostics.filter(({ code, file }) => code === "PL0001" && file === workflow)
      : variantDiagnostics(checked.diagnostics, document, [], {}, "with given.sources", given)),
  ]
  const pipeline = checked.workflow?.pipeline
  if (pipeline !== undefined) found.push(...checkEvaluation(document, evaluation, pipeline))
  for (const [name, variant] of Object.entries(evaluation.variants)) {
    // A workflow that is wrong without the lists of its sources may be right with those of a variant.
    if (pipeline === undefined && variant.sources === undefined) continue
    const read = yield* check(workflow, withVariant(reads, variant))
    const at = ["variants", name]
    found.push(
      ...variantDiagnostics(read.diagnostics, document, at, variant, `variant ${name}`, given),
    )
  }
  if (pipeline !== undefined && !hasErrors(found)) {
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
