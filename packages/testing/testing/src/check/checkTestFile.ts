/** A workflow test's file → everything wrong with it, held against its workflow. */
import * as Effect from "effect/Effect"
import { Reading, sortDiagnostics, beside } from "@planloom/language"
import { check } from "@planloom/embed"
import type { LoadOptions } from "@planloom/language"
import { checkWorkflowTest } from "./checkWorkflowTest.ts"
import { readWorkflowTest } from "../file/readWorkflowTest.ts"
import { variantDiagnostics } from "./variantDiagnostics.ts"
import { asTested, variantKey } from "../file/withVariant.ts"

/** The test's own diagnostics; those of its workflow are the workflow's. */
export const checkTestFile = Effect.fnUntraced(function* (path: string, options: LoadOptions) {
  const { diagnostics, document, sources, test } = yield* readWorkflowTest(path, options.texts)
  if (document === undefined || test === undefined || test.workflow === "") {
    return { file: path, diagnostics, sources }
  }
  const checked = yield* check(beside(path, test.workflow), asTested(options, {}))
  const isUnread = checked.diagnostics.some(
    ({ code, file }) => code === "PL0001" && file === checked.file,
  )
  const reading = new Reading(options.texts)
  if (isUnread) {
    yield* Effect.promise(() => reading.named(document, ["workflow"], test.workflow))
  }
  const found =
    checked.workflow === undefined
      ? [...reading.diagnostics]
      : [...checkWorkflowTest(document, test, checked.workflow.pipeline)]
  const read = new Set([variantKey({})])
  for (const [index, { expect, given, name }] of test.tests.entries()) {
    const key = variantKey(given)
    // A workflow that is wrong without the lists of its sources may be right with those of a test.
    const isRead = checked.workflow !== undefined || given.sources !== undefined
    if (!isRead || read.has(key) || expect.diagnostics !== undefined) continue
    read.add(key)
    const { diagnostics: wrong } = yield* check(
      beside(path, test.workflow),
      asTested(options, given),
    )
    const at = ["tests", index, "given"]
    found.push(...variantDiagnostics(wrong, document, at, given, `test "${name}"`))
  }
  return {
    file: path,
    diagnostics: sortDiagnostics([...diagnostics, ...found]),
    sources: new Map([...checked.sources, ...sources]),
  }
})
