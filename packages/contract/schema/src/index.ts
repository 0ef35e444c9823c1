/** JSON Schema without Ajv: validation by closures, and problems of schemas with their locations. */
export { withoutAnnotations, withoutDialect } from "./annotations.ts"
export { canonicalJson } from "./canonicalJson.ts"
export { isTooDeep, MAX_JSON_DEPTH, TOO_DEEP } from "./depth.ts"
export type { FromSchema } from "./FromSchema.ts"
export { formatIssues } from "./formatIssues.ts"
export { assertedFormats } from "./check/formats.ts"
export { eachSubschema, keywords } from "./keywords.ts"
export { lightValidator } from "./lightValidator.ts"
export { linearPattern, type LinearPattern } from "./check/LinearPattern.ts"
export { mayRepeatNames } from "./mayRepeatNames.ts"
export { nestedSchema } from "./nestedSchema.ts"
export { rejectionOf, type SchemaProblem, schemaProblems, SchemaRejected } from "./problems.ts"
export { targetOf } from "./reference.ts"
export { relaxMembers } from "./relaxMembers.ts"
export { repeatsNames } from "./repeatsNames.ts"
export { sameJson } from "./sameJson.ts"
export { schemaKeys, type SchemaKey } from "./schemaKeys.ts"
export {
  escapeStep,
  isObject,
  type Json,
  type JsonSchema,
  type SchemaIssue,
  type SchemaObject,
  type Validate,
} from "./Schema.ts"
