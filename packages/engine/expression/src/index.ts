/** Compiles, evaluates and explains expressions: CEL over plain JSON data. */
export {
  type ExpressionScope,
  type CompiledValue,
  containsExpression,
  unwrapExpression,
  literalEntries,
  withTextAt,
  compileValue,
  ExpressionFailed,
  type CompiledExpression,
  compileExpression,
} from "./Expression.ts"
export { usedBy } from "./usedBy.ts"
export { rangeOf } from "./rangeOf.ts"
export { evaluateAssertion, type AssertionPart, type AssertionResult } from "./evaluateAssertion.ts"
