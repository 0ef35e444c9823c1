/** What a test file refers to, held against the workflow it tests: stages, models, tools, inputs, assertions. */
import { locateProblem, type Problem } from "../definition/Problem.ts"
import type { WorkflowTest } from "../definition/WorkflowTest.ts"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import { sortDiagnostics, type Diagnostic } from "../source/Diagnostic.ts"
import type { Document } from "../source/Document.ts"
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
