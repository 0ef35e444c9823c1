/** Static checks of expressions: syntax trees, types derived from JSON Schema, and type inference. */
export { infer, type Environment, truthHelp } from "./infer/infer.ts"
export type { Node } from "./syntax/Node.ts"
export { parseExpression } from "./syntax/parse.ts"
export { parseTemplate } from "./syntax/Template.ts"
export { SyntaxProblem } from "./syntax/tokenize.ts"
export {
  any,
  fits,
  int,
  listOf,
  nullType,
  objectOf,
  string,
  union,
  type Field,
  type ObjectType,
  type Type,
  bool,
  describeType,
  type FieldIssue,
  firstMismatch,
  number,
} from "./infer/Type.ts"
export { schemaOfType } from "./infer/schemaOfType.ts"
export { typeOfSchema, typeOfValue } from "./infer/typeOfSchema.ts"
export { widen } from "./infer/operators.ts"
export type { Issue } from "./infer/Checker.ts"
export type { TextFix } from "./syntax/TextFix.ts"
export { combineProofs, noProof, provenBy, type Proof } from "./infer/guards.ts"
export { functionGroups } from "./functionGroups.ts"
export { referencesOf } from "./Expression.ts"
