/** Expressions: CEL over plain JSON data. Compile, evaluate and explain them. */
export {
  type ExpressionScope,
  type CompiledValue,
  holdsExpression,
  bareExpression,
  literalsOf,
  compileValue,
  ExpressionFailed,
  type CompiledExpression,
  compileExpression,
} from "./Expression.ts"
export { judge, type JudgedPart, type Judgement } from "./judge.ts"
