/** A test file → the outcome of each of its tests. */
import { basename, join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { definePlugin } from "@planloom/plugin/effect"
import { beside, placeText } from "@planloom/language"
import { check, load } from "@planloom/embed"
import type { Checked } from "@planloom/embed"
import type { Diagnostic, Document, LoadOptions } from "@planloom/language"
import type { LoadedWorkflow } from "@planloom/core"
import { scriptedProvider } from "../double/scriptedProvider.ts"
import type { Unmet } from "./expectations.ts"
import { runTestCase, type CaseOutcome, type CassettePlace } from "./runTestCase.ts"
import type { TestFileReport, TestResult } from "./TestReport.ts"
import { asTested, variantKey } from "../file/withVariant.ts"
import { checkWorkflowTest } from "../check/checkWorkflowTest.ts"
import { readWorkflowTest } from "../file/readWorkflowTest.ts"
import { variantDiagnostics } from "../check/variantDiagnostics.ts"
import type { TestCase } from "../file/WorkflowTest.ts"

export interface WorkflowTestOptions {
  /** How the workflow is loaded: bundled plugins, environment. Models are scripted whatever it says. */
  readonly load?: LoadOptions
  /** Runs only the tests whose name contains this. */
  readonly filter?: string
  /** Rewrites snapshots instead of comparing. */
  readonly update?: boolean
  /**
   * Folder for recordings of tests that have no scripted replies and name no cassette. With it those run
   * on the workflow's own models and tools and are recorded; tests that name a cassette are recorded there.
   */
  readonly record?: string
  /** Folder to answer those tests from. Tests that name a cassette are always answered from it. */
  readonly replay?: string
  /** Called after each test with the report so far: for a caller that may be interrupted. */
  readonly onTested?: (soFar: TestFileReport) => void
}

/** Stands for every model while the workflow is loaded, so that no provider has to be there. */
const scripted = definePlugin({
  id: "scripted",
  summary: "Models that answer from a test's script.",
  components: { providers: [scriptedProvider([])] },
})

/**
 * Tests run one after another; those that read the workflow alike share one. Never fails: what is wrong with the test file
 * or its workflow is in `diagnostics`. The workflow's path counts from the test file; paths in inputs
 * mean what they mean to `planloom run`: they count from the working folder.
 */
export const runWorkflowTest = Effect.fnUntraced(function* (
  file: string,
  options: WorkflowTestOptions = {},
) {
  const began = yield* Clock.currentTimeMillis
  const read = yield* readWorkflowTest(file)
  const sources = new Map(read.sources)
  const workflow = read.test === undefined ? "" : beside(file, read.test.workflow)
  const report = (
    diagnostics: ReadonlyArray<Diagnostic>,
    tests: ReadonlyArray<TestResult>,
    skipped: number,
  ): Effect.Effect<TestFileReport> =>
    Effect.map(Clock.currentTimeMillis, (now) => ({
      file,
      workflow,
      diagnostics,
      sources,
      tests,
      skipped,
      ms: now - began,
    }))
  const { document, test } = read
  if (document === undefined || test === undefined || hasErrors(read.diagnostics)) {
    return yield* report(read.diagnostics, [], 0)
  }
  const { filter } = options
  const chosen = [...test.tests.entries()].filter(
    ([, { name }]) => filter === undefined || name.includes(filter),
  )
  const skipped = test.tests.length - chosen.length
  const place = placer(document, file)

  return yield* Effect.scoped(
    Effect.gen(function* () {
      const places = new Map(
        chosen.map(([index, one]) => [index, cassetteOf(one, file, options)] as const),
      )
      // Tests that read the workflow alike share one.
      const loads = new Map<string, Loaded>()
      const checks = new Map<string, Checked>()
      const keyOf = (index: number, { given }: TestCase) =>
        `${places.get(index) === undefined ? "scripted" : "own"} ${variantKey(given)}`
      const broken: Array<Diagnostic> = [...read.diagnostics]
      for (const [index, one] of chosen) {
        const key = keyOf(index, one)
        const reads = asTested(options.load ?? {}, one.given)
        if (one.expect.diagnostics !== undefined) {
          if (checks.has(key)) continue
          const checked = yield* check(workflow, reads)
          checks.set(key, checked)
          for (const [path, source] of checked.sources) sources.set(path, source)
          continue
        }
        if (loads.has(key)) continue
        const scripts = places.get(index) === undefined
        const loaded = yield* scripts ? loadScripted(workflow, reads) : loadWith(workflow, reads)
        loads.set(key, loaded)
        for (const [path, source] of loaded.sources) sources.set(path, source)
        if (loaded.workflow !== undefined) continue
        const at = ["tests", index, "given"]
        broken.push(
          ...(variantKey(one.given) === variantKey({})
            ? loaded.diagnostics
            : variantDiagnostics(
                loaded.diagnostics,
                document,
                at,
                one.given,
                `test "${one.name}"`,
              )),
        )
      }
      const first = [...loads.values()].find((loaded) => loaded.workflow !== undefined)?.workflow
      if (first !== undefined) broken.push(...checkWorkflowTest(document, test, first.pipeline))
      if (hasErrors(broken)) return yield* report(broken, [], skipped)
      const tests: Array<TestResult> = []
      for (const [index, one] of chosen) {
        tests.push(
          yield* timed(
            one,
            index,
            place,
            judged(one, {
              loaded: loads.get(keyOf(index, one))?.workflow,
              checked: checks.get(keyOf(index, one)),
              file,
              options,
              cassette: places.get(index),
            }),
          ),
        )
        options.onTested?.(yield* report(broken, [...tests], skipped))
      }
      return yield* report(broken, tests, skipped)
    }),
  )
})

/** Where the calls of a test are recorded; undefined for one whose models are scripted, or that has none. */
const cassetteOf = (
  { expect, given, name }: TestCase,
  file: string,
  { record, replay }: WorkflowTestOptions,
): CassettePlace | undefined => {
  if (expect.diagnostics !== undefined) return undefined
  const records = record !== undefined
  if (given.cassette !== undefined) {
    return { folder: beside(file, given.cassette), records, isNamed: true }
  }
  const folder = record ?? replay
  if (folder === undefined || Object.keys(given.models).length > 0) return undefined
  const words = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_")
  return {
    folder: join(folder, words(basename(file).replace(/\.test\.ya?ml$/, "")), words(name)),
    records,
    isNamed: false,
  }
}

const hasErrors = (diagnostics: ReadonlyArray<Diagnostic>): boolean =>
  diagnostics.some(({ severity }) => severity === "error")

interface Loaded {
  readonly workflow: LoadedWorkflow | undefined
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly sources: Checked["sources"]
}

const loadScripted = (workflow: string, options: LoadOptions = {}) =>
  loadWith(workflow, {
    ...options,
    extraPlugins: [...(options.extraPlugins ?? []), scripted],
    modelsOverride: ["scripted/test"],
  })

const loadWith = (workflow: string, options: LoadOptions = {}) =>
  load(workflow, options).pipe(
    Effect.map((loaded): Loaded => ({ workflow: loaded, diagnostics: [], sources: new Map() })),
    Effect.catchTag("WorkflowInvalid", ({ diagnostics, sources }) =>
      Effect.succeed<Loaded>({ workflow: undefined, diagnostics, sources }),
    ),
  )

interface CaseGiven {
  readonly loaded: LoadedWorkflow | undefined
  readonly checked: Checked | undefined
  readonly file: string
  readonly options: WorkflowTestOptions
  readonly cassette: CassettePlace | undefined
}

const judged = (
  test: TestCase,
  { cassette, checked, file, loaded, options }: CaseGiven,
): Effect.Effect<CaseOutcome> => {
  const { diagnostics } = test.expect
  if (diagnostics === undefined) {
    return runTestCase(test, loaded!, { file, update: options.update === true, cassette })
  }
  return Effect.succeed({
    result: undefined,
    unmet: refusalUnmet(diagnostics, checked!.diagnostics),
  })
}

/** Every code the test names must be among the workflow's diagnostics; others may be there too. */
const refusalUnmet = (
  expected: ReadonlyArray<string>,
  found: ReadonlyArray<Diagnostic>,
): ReadonlyArray<Unmet> => {
  const said = found.map((one) => `${placeText(one)} ${one.code} ${one.message}`)
  return expected.flatMap((code, index) =>
    found.some((one) => one.code === code)
      ? []
      : [
          {
            path: ["expect", "diagnostics", index],
            assertion: `the workflow is refused with ${code}`,
            message: said.length === 0 ? "it passes check" : said.join("\n"),
          },
        ],
  )
}

type Place = (index: number, unmet: Unmet) => TestResult["failures"][number]

const placer =
  (document: Document, file: string): Place =>
  (index, { assertion, message, path }) => ({
    file,
    assertion,
    message,
    ...document.spanOf(["tests", index, ...path]),
  })

const timed = (
  test: TestCase,
  index: number,
  place: Place,
  outcome: ReturnType<typeof judged>,
): Effect.Effect<TestResult> =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    const { judgements, planning, prediction, result, unmet } = yield* outcome
    const now = yield* Clock.currentTimeMillis
    return {
      test: test.name,
      ok: unmet.length === 0,
      failures: unmet.map((one) => place(index, one)),
      ms: now - began,
      ...(result === undefined ? {} : { result }),
      ...(planning === undefined ? {} : { planning }),
      ...(judgements === undefined ? {} : { judgements }),
      ...(prediction === undefined ? {} : { prediction }),
    }
  })
