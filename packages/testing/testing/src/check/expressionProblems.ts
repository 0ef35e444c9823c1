/** An expression of a file that is read beside a workflow, held against what it can read. */
import type { Json } from "@planloom/plugin/effect"
import { containsExpression } from "@planloom/expression"
import {
  infer,
  parseExpression,
  parseTemplate,
  SyntaxProblem,
  any,
  bool,
  fits,
} from "@planloom/expression/check"
import type { Environment, Type } from "@planloom/expression/check"
import type { DocumentPath, Problem } from "@planloom/language"

/** What an expression must give, and what is said when it gives something else. */
export interface Expected {
  readonly type: Type
  readonly otherwise: string
}

const truth: Expected = {
  type: bool,
  otherwise: "an assertion is true or false, this is neither",
}

/** Problems of CEL at a path. `from` is where it begins in the text there. */
export const expressionProblems = (
  source: string,
  path: DocumentPath,
  environment: Environment,
  { otherwise, type: expected }: Expected = truth,
  from = 0,
): ReadonlyArray<Problem> => {
  try {
    const { issues, type } = infer(parseExpression(source), source, environment)
    const wrong = issues.filter(({ severity }) => severity !== "warning")
    if (wrong.length === 0 && !fits(type, expected)) {
      return [{ code: "PL1204", path, message: otherwise }]
    }
    return wrong.map(({ code, end, help, message, start }) => ({
      code,
      message,
      help,
      path,
      within: { from: from + start, to: from + end },
    }))
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    const { end, help, message, start } = error
    return [{ code: "PL1001", message, help, path, within: { from: from + start, to: from + end } }]
  }
}

const anything: Expected = { type: any, otherwise: "" }

/** Problems of the expressions inside a value's texts. */
export const valueProblems = (
  value: Json,
  path: DocumentPath,
  environment: Environment,
): ReadonlyArray<Problem> => {
  if (typeof value === "string") {
    if (!containsExpression(value)) return []
    const { parts, unclosed } = parseTemplate(value)
    if (unclosed !== undefined) {
      const within = { from: unclosed, to: unclosed + 3 }
      return [{ code: "PL1002", path, message: "`${{` has no closing `}}`", within }]
    }
    return parts.flatMap((part) =>
      part.type === "text"
        ? []
        : expressionProblems(part.source, path, environment, anything, part.from),
    )
  }
  if (value === null || typeof value !== "object") return []
  return Object.entries(value).flatMap(([key, entry]) =>
    valueProblems(entry as Json, [...path, Array.isArray(value) ? Number(key) : key], environment),
  )
}
