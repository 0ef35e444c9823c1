/** Writes a test file, and keeps it only if one of its tests passes. */
import { readFile, rm, writeFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { runWorkflowTest, type WorkflowTestOptions } from "./runWorkflowTest.ts"
import type { TestFileReport } from "./TestReport.ts"

/** Undefined if the test passes; otherwise why it does not, and the file is as before. */
export const keepPassing = (
  file: string,
  text: string,
  test: string,
  options: Pick<WorkflowTestOptions, "load">,
): Effect.Effect<string | undefined> =>
  Effect.gen(function* () {
    const before = yield* Effect.promise(() => readFile(file, "utf8").catch(() => undefined))
    yield* Effect.promise(() => writeFile(file, text))
    const failure = failureOf(yield* runWorkflowTest(file, { ...options, filter: test }), test)
    if (failure !== undefined) {
      yield* Effect.promise(() => (before === undefined ? rm(file) : writeFile(file, before)))
    }
    return failure
  })

/** Other tests whose names contain that of the test are run with it, and do not count. */
const failureOf = ({ diagnostics, tests }: TestFileReport, name: string): string | undefined => {
  const error = diagnostics.find(({ severity }) => severity === "error")
  if (error !== undefined) return error.message
  const [failure] = tests.find(({ test }) => test === name)?.failures ?? []
  return failure?.message
}
