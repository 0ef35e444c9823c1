/** The bounds of a loop: a constant number of iterations, or an expression with the greatest number that it can give. */
import { compileExpression, rangeOf, unwrapExpression } from "@planloom/expression"
import type { Definition, FlagValue } from "@planloom/language"
import type { NodeRepeat } from "../Pipeline.ts"

/** The values of flags, as expressions read them. */
export const flagValues = ({ flags }: Definition): { readonly [name: string]: FlagValue } =>
  Object.fromEntries(Object.entries(flags).map(([name, { value }]) => [name, value]))

export const loopBounds = (
  given: number | string,
  { flags }: Definition,
): Pick<NodeRepeat, "iterations" | "maxIterations"> => {
  if (typeof given === "number") return { maxIterations: given, iterations: undefined }
  const range = rangeOf(unwrapExpression(given), flags)
  // `check` refuses an expression without a bound.
  return { maxIterations: range?.max ?? 0, iterations: compileExpression(given) }
}
