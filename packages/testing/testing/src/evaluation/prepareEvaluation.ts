/** An evaluation's file → everything its runs need, or what is wrong with it. */
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import { beside } from "@planloom/language"
import { load } from "@planloom/embed"
import type { Diagnostic, Document, LoadOptions, SourceFile } from "@planloom/language"
import type { LoadedWorkflow } from "@planloom/core"
import { checkEvaluation } from "../check/checkEvaluation.ts"
import { rootsOf } from "../check/rootsOf.ts"
import { evaluationCases } from "../rows/evaluationCases.ts"
import { readEvaluation } from "../file/readEvaluation.ts"
import { unknownVariants } from "../check/unknownVariants.ts"
import { variantDiagnostics } from "../check/variantDiagnostics.ts"
import { withVariant } from "../file/withVariant.ts"
import type { Evaluation, EvaluationCase } from "../file/Evaluation.ts"

export interface Prepared {
  readonly document: Document
  readonly evaluation: Evaluation
  /** The names that its assertions and scores read. */
  readonly reads: ReadonlySet<string>
  /** In the order they are written. */
  readonly variants: ReadonlyArray<{ readonly name: string; readonly loaded: LoadedWorkflow }>
  /** All of them, read anew each time. */
  readonly cases: () => AsyncGenerator<EvaluationCase>
  /** Whether the filter lets it through. */
  readonly isChosen: (one: EvaluationCase) => boolean
  /** How many it lets through, and how many not. */
  readonly count: number
  readonly skipped: number
}

export interface Preparation {
  readonly name: string
  readonly workflow: string
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly sources: ReadonlyMap<string, SourceFile>
  /** Undefined when an error stands. */
  readonly ready: Prepared | undefined
}

export interface PreparationOptions {
  readonly load?: LoadOptions
  readonly filter?: string
  /** Names of the variants to run; all unless given. One that the file does not have is an error. */
  readonly variants?: ReadonlyArray<string>
}

/** The workflow is loaded once for each variant, within the scope. Every row is read before anything runs. */
export const prepareEvaluation = Effect.fnUntraced(function* (
  file: string,
  options: PreparationOptions,
) {
  const read = yield* readEvaluation(file)
  const sources = new Map(read.sources)
  const { document, evaluation } = read
  const preparation = (diagnostics: ReadonlyArray<Diagnostic>, ready?: Prepared): Preparation => ({
    name: evaluationName(file),
    workflow: evaluation === undefined ? "" : beside(file, evaluation.workflow),
    diagnostics,
    sources,
    ready,
  })
  if (document === undefined || evaluation === undefined || hasErrors(read.diagnostics)) {
    return preparation(read.diagnostics)
  }
  const unknown = unknownVariants(document, evaluation, options.variants ?? [])
  if (unknown.length > 0) return preparation([...read.diagnostics, ...unknown])
  const written = Object.entries(evaluation.variants)
  const chosen = written.filter(([name]) => options.variants?.includes(name) ?? true)
  const variants: Array<Prepared["variants"][number]> = []
  const { sources: given } = evaluation.given
  const reads = withVariant(options.load ?? {}, { sources: given })
  for (const [name, variant] of written.length === 0 ? [["default", plainly] as const] : chosen) {
    const loaded = yield* Effect.result(
      load(beside(file, evaluation.workflow), withVariant(reads, variant)),
    )
    if (loaded._tag === "Failure") {
      for (const [path, source] of loaded.failure.sources) sources.set(path, source)
      const { diagnostics } = loaded.failure
      return preparation(
        written.length === 0 && given === undefined
          ? diagnostics
          : variantDiagnostics(
              diagnostics,
              document,
              ["variants", name],
              variant,
              written.length === 0 ? "with given.sources" : `variant ${name}`,
              given,
            ),
      )
    }
    for (const [path, source] of loaded.success.sources) sources.set(path, source)
    variants.push({ name, loaded: loaded.success })
  }
  const { pipeline } = variants[0]!.loaded
  const wrong = [...read.diagnostics, ...checkEvaluation(document, evaluation, pipeline)]
  if (hasErrors(wrong)) return preparation(wrong)
  const isChosen = ({ name }: EvaluationCase) =>
    options.filter === undefined || name.includes(options.filter)
  const rows = () => evaluationCases(document, evaluation, pipeline)
  const counted = yield* Effect.promise(() => countCases(rows(), isChosen))
  if (counted.wrong.length > 0) return preparation([...wrong, ...counted.wrong])
  return preparation(wrong, {
    document,
    evaluation,
    reads: rootsOf(expressionsIn(evaluation)),
    variants,
    cases: () => casesIn(rows()),
    isChosen,
    count: counted.count,
    skipped: counted.skipped,
  })
})

const expressionsIn = ({
  cases = [],
  expect,
  misses,
  score,
}: Evaluation): ReadonlyArray<string> => [
  ...[expect, ...cases.map((one) => one.expect)].flatMap((one) => one?.assert ?? []),
  ...Object.values(score),
  ...(misses === undefined ? [] : [misses]),
]

/** What its figures and recordings are kept under: two files may have the same. */
export const evaluationName = (file: string): string =>
  basename(file).replace(/(\.eval)?\.ya?ml$/, "")

const plainly = { set: {}, env: undefined, flags: {} }

const isWrong = (one: EvaluationCase | Diagnostic): one is Diagnostic => "severity" in one

const countCases = async (
  rows: AsyncGenerator<EvaluationCase | Diagnostic>,
  isChosen: (one: EvaluationCase) => boolean,
) => {
  const wrong: Array<Diagnostic> = []
  let count = 0
  let skipped = 0
  for await (const one of rows) {
    if (isWrong(one)) wrong.push(one)
    else if (isChosen(one)) count++
    else skipped++
  }
  return { wrong, count, skipped }
}

/** Rows were right a moment ago; one that is not any more ends the list, which is then shorter than `count`. */
async function* casesIn(
  rows: AsyncGenerator<EvaluationCase | Diagnostic>,
): AsyncGenerator<EvaluationCase> {
  for await (const one of rows) {
    if (isWrong(one)) return
    yield one
  }
}

const hasErrors = (diagnostics: ReadonlyArray<Diagnostic>): boolean =>
  diagnostics.some(({ severity }) => severity === "error")
