/** The names that expressions read. */
import { compileExpression, ExpressionFailed } from "@planloom/expression"

export const referencesOf = (source: string): ReadonlyArray<ReadonlyArray<string>> => {
  try {
    return compileExpression(source).references
  } catch (error) {
    // What cannot be read is reported where the file is checked.
    if (error instanceof ExpressionFailed) return []
    throw error
  }
}

export const rootsOf = (sources: Iterable<string>): ReadonlySet<string> =>
  new Set([...sources].flatMap((source) => referencesOf(source).map(([root]) => root!)))
