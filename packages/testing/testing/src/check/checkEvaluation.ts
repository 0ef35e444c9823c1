/** What an evaluation refers to, held against its workflow: inputs, tools, stages, every expression. */
import { containsExpression } from "@planloom/expression"
import {
  any,
  bool,
  listOf,
  number,
  objectOf,
  union,
  typeOfSchema,
} from "@planloom/expression/check"
import type { Environment } from "@planloom/expression/check"
import { decodeValue, locateProblem, sortDiagnostics } from "@planloom/language"
import type { Problem, DocumentPath, Diagnostic, Document } from "@planloom/language"
import { past as pastShape } from "@planloom/language/shape"
import type { Pipeline } from "@planloom/core"
import type { Evaluation, Expectation } from "../file/Evaluation.ts"
import { expressionProblems, valueProblems } from "./expressionProblems.ts"
import { gateTypes } from "./figureTypes.ts"
import { givenProblems } from "./givenProblems.ts"
import { sessionProblems } from "./sessionProblems.ts"
import { certain, environmentOf, resultTypes } from "./resultTypes.ts"

const aNumber = {
  type: union([number, bool]),
  otherwise: "a score is a number, or true or false; this is neither",
}

const aList = {
  type: listOf(any),
  otherwise: "misses are a list of what was not found; this is no list",
}

const aCondition = { type: bool, otherwise: "a gate is true or false, this is neither" }

/** Everything in the evaluation that cannot mean anything to this workflow. Its rows are not read. */
export const checkEvaluation = (
  document: Document,
  evaluation: Evaluation,
  pipeline: Pipeline,
): ReadonlyArray<Diagnostic> => {
  const { cases = [], expect, gate, given, inputs, misses, score } = evaluation
  // The tools of each variant may be others.
  const sources = Object.values(evaluation.variants).reduce(
    (all, one) => all ?? one.sources,
    given.sources,
  )
  const inputTypes = Object.entries(pipeline.definition.inputs).map(
    ([name, schema]) => [name, certain(typeOfSchema(schema))] as const,
  )
  const onResult = environmentOf({
    ...resultTypes(pipeline),
    row: any,
    inputs: objectOf(Object.fromEntries(inputTypes)),
  })
  const onRow = environmentOf({ row: any })
  const onFigures = environmentOf(gateTypes(evaluation))
  const expected = (one: Expectation | undefined, at: DocumentPath) =>
    (one?.assert ?? []).flatMap((source, index) =>
      expressionProblems(source, [...at, "expect", "assert", index], onResult),
    )
  const problems: ReadonlyArray<Problem> = [
    ...givenProblems({ ...given, sources }, ["given"], pipeline),
    ...givenProblems({ inputs: inputs ?? {} }, [], pipeline),
    ...valueProblems(inputs ?? {}, ["inputs"], onRow),
    ...valueProblems(given.user ?? {}, ["given", "user"], onRow),
    ...givenSessionProblems(given.session, onRow, pipeline),
    ...cases.flatMap((one, index) => [
      ...givenProblems({ inputs: one.inputs }, ["cases", index], pipeline),
      ...givenProblems({ ...one.given, sources }, ["cases", index, "given"], pipeline),
      ...sessionProblems(one.session, ["cases", index, "session"], pipeline, false),
      ...expected(one.expect, ["cases", index]),
    ]),
    ...expected(expect, []),
    ...Object.entries(score).flatMap(([name, source]) =>
      expressionProblems(source, ["score", name], onResult, aNumber),
    ),
    ...(misses === undefined ? [] : expressionProblems(misses, ["misses"], onResult, aList)),
    ...gate.flatMap((source, index) =>
      expressionProblems(source, ["gate", index], onFigures, aCondition),
    ),
  ]
  return sortDiagnostics(problems.map((problem) => locateProblem(document, problem)))
}

/** One with expressions is compared with the workflow once it is evaluated for a row. */
const givenSessionProblems = (
  session: Evaluation["given"]["session"],
  onRow: Environment,
  pipeline: Pipeline,
): ReadonlyArray<Problem> => {
  if (session === undefined) return []
  const at: DocumentPath = ["given", "session"]
  if (containsExpression(session)) return valueProblems(session, at, onRow)
  const { decoded, problems } = decodeValue(pastShape, session, at)
  return problems.length > 0 ? problems : sessionProblems(decoded, at, pipeline, false)
}
