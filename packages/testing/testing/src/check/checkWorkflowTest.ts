/** What a test file refers to, held against the workflow it tests: stages, models, tools, inputs, assertions. */
import { locateProblem, sortDiagnostics } from "@planloom/language"
import type { Problem, Diagnostic, Document, DocumentPath } from "@planloom/language"
import type { JsonObject } from "@planloom/plugin/effect"
import type { Pipeline } from "@planloom/core"
import type { WorkflowTest } from "../file/WorkflowTest.ts"
import { expressionProblems } from "./expressionProblems.ts"
import { givenProblems } from "./givenProblems.ts"
import { environmentOf, resultTypes } from "./resultTypes.ts"
import { sessionProblems } from "./sessionProblems.ts"

/** Where a user does not fit the workflow's `user:`. */
const userProblems = (
  given: JsonObject | undefined,
  at: DocumentPath,
  { user }: Pipeline,
): ReadonlyArray<Problem> =>
  given === undefined || user === undefined
    ? []
    : user.validate(given).map(({ message, path }) => ({
        code: "PL0103",
        path: [...at, ...path.split("/").slice(1)],
        message: `the user ${path === "" ? "" : `"${path.slice(1)}" `}${message}`,
      }))

/** Everything in the test file that cannot mean anything to this workflow. */
export const checkWorkflowTest = (
  document: Document,
  test: WorkflowTest,
  pipeline: Pipeline,
): ReadonlyArray<Diagnostic> => {
  const environment = environmentOf(resultTypes(pipeline))
  const problems = test.tests.flatMap(({ expect, given }, index): ReadonlyArray<Problem> => [
    ...givenProblems(given, ["tests", index, "given"], pipeline),
    ...userProblems(given.user, ["tests", index, "given", "user"], pipeline),
    ...sessionProblems(
      given.session,
      ["tests", index, "given", "session"],
      pipeline,
      given.sources !== undefined,
    ),
    ...expect.assert.flatMap((source, position) =>
      expressionProblems(source, ["tests", index, "expect", "assert", position], environment),
    ),
  ])
  return sortDiagnostics(problems.map((problem) => locateProblem(document, problem)))
}
