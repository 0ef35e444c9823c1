/** What a test file refers to, held against the workflow it tests: stages, models, tools, inputs, assertions. */
import { locateProblem, sortDiagnostics } from "@planloom/language"
import type { Problem, Diagnostic, Document } from "@planloom/language"
import type { Pipeline } from "@planloom/core"
import type { WorkflowTest } from "../file/WorkflowTest.ts"
import { expressionProblems } from "./expressionProblems.ts"
import { givenProblems } from "./givenProblems.ts"
import { environmentOf, resultTypes } from "./resultTypes.ts"

/** Everything in the test file that cannot mean anything to this workflow. */
export const checkWorkflowTest = (
  document: Document,
  test: WorkflowTest,
  pipeline: Pipeline,
): ReadonlyArray<Diagnostic> => {
  const environment = environmentOf(resultTypes(pipeline))
  const problems = test.tests.flatMap(({ expect, given }, index): ReadonlyArray<Problem> => [
    ...givenProblems(given, ["tests", index, "given"], pipeline),
    ...expect.assert.flatMap((source, position) =>
      expressionProblems(source, ["tests", index, "expect", "assert", position], environment),
    ),
  ])
  return sortDiagnostics(problems.map((problem) => locateProblem(document, problem)))
}
