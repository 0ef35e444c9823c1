/** Whether the user of a run fits the `user:` of a workflow that a stage runs, as far as the two schemas show. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { describeType, firstMismatch, typeOfSchema } from "@planloom/expression/check"
import { validatorOf } from "@planloom/schema/ajv"
import type { DocumentPath } from "./Definition.ts"
import type { Problem } from "./Problem.ts"

/** `outer` and `inner` are the schemas that the two workflows declare; `name` is the inner one's path as written. */
export const nestedUserProblem = (
  name: string,
  outer: JsonSchema | undefined,
  inner: JsonSchema | undefined,
  path: DocumentPath,
): Problem | undefined => {
  if (inner === undefined) return undefined
  if (outer === undefined) {
    return acceptsNoUser(inner)
      ? undefined
      : {
          code: "PL4027",
          message: `"${name}" declares a user, and this workflow declares none`,
          path,
          help: `declare it here: user: ${JSON.stringify(inner)}`,
        }
  }
  const [from, to] = [typeOfSchema(outer), typeOfSchema(inner)]
  if (from.kind !== "object" || to.kind !== "object") return undefined
  const field = firstMismatch(from, to)
  if (field === undefined) return undefined
  const wanted = describeType(to.fields[field]!.type)
  const given = Object.hasOwn(from.fields, field) ? from.fields[field] : undefined
  return {
    code: "PL4027",
    message:
      given === undefined
        ? `the user of "${name}" needs "${field}", which the user of this workflow lacks`
        : `"${field}" of the user of "${name}" is ${wanted}, and here it is ${describeType(given.type)}`,
    path,
    help: `declare it here: user: { properties: { ${field}: … } }`,
  }
}

/** Whether a run without a user fits the schema. */
const acceptsNoUser = (schema: JsonSchema): boolean => validatorOf(schema)({}).length === 0
