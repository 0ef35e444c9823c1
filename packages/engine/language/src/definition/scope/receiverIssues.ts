/** Parts of a `with` against the schemas of what receives them: params of a tool, inputs of a workflow. */
import type {
  Json,
  JsonObject,
  JsonSchema,
  ReceiverSchemas,
  StageKind,
} from "@planloom/plugin/effect"
import { literalEntries } from "@planloom/expression"
import { describeType, typeOfSchema, type Type } from "@planloom/expression/check"
import { abridge, hint } from "@planloom/expression/suggestion"
import { isObject, relaxMembers, targetOf } from "@planloom/schema"
import type { DocumentPath } from "../Definition.ts"
import { ownMember } from "../ownMember.ts"
import { nearKey } from "../Fix.ts"
import type { Problem } from "../Problem.ts"
import type { Resources } from "../Resources.ts"
import { schemaFit } from "../schemaFit.ts"
import { closedSchema } from "./closedSchema.ts"
import { holdsExpression } from "./holdsExpression.ts"
import { valueIssues } from "./valueIssues.ts"

/** A key of a `with` whose value something else receives. */
export interface Received {
  readonly key: string
  readonly value: Json
  readonly schema: JsonSchema
}

/** The received parts of a `with`; a key that is left out has the default of its kind. */
export const receivedParts = (
  kind: StageKind,
  given: JsonObject,
  receivers: ReceiverSchemas,
): ReadonlyArray<Received> => {
  const expected = kind.expects?.(literalEntries(given), receivers) ?? {}
  const properties = isObject(kind.input) ? kind.input["properties"] : undefined
  return Object.entries(expected).flatMap(([key, schema]) => {
    if (schema === undefined) return []
    const property = isObject(properties) ? ownMember(properties, key) : undefined
    const absent = isObject(property) ? (property["default"] as Json | undefined) : undefined
    const value = ownMember(given, key) ?? absent
    return value === undefined ? [] : [{ key, value, schema }]
  })
}

/** Schemas of tools and workflows by the names that a workflow has for them. */
export const receiversOf = ({ tools, workflows }: Resources): ReceiverSchemas => ({
  tool: (name) => {
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) return undefined
    const { defaults, normalize, params } = tool
    // A param that the tool normalizes may be given as anything, one that it fills may be left out.
    return normalize === undefined && defaults === undefined
      ? params
      : relaxMembers(params, {
          free: Object.keys(normalize ?? {}),
          optional: Object.keys(defaults ?? {}),
        })
  },
  workflow: (path) => workflows?.get(path)?.inputs,
})

/** What is known of the expressions in a value. */
export interface Typing {
  readonly typeOf: (value: Json) => Type
  /** The schema of the input that a text is, and nothing else. */
  readonly inputOf: (text: string) => JsonSchema | undefined
}

/** Problems of one part. Types come first, because they say more. */
export const receiverIssues = (
  { key, schema, value }: Received,
  typing: Typing,
): ReadonlyArray<Problem> => {
  const name = `"${key}"`
  const issues = valueIssues(value, { schema, name, code: "PL4007" }, typing.typeOf)
  if (issues.length > 0) return issues
  return [
    ...literalProblems(value, schema, name),
    ...undeclared(value, schema, name),
    ...untyped(value, schema, [], typing),
  ]
}

/** The whole schema wherever no expression stands, as the receiver applies it. */
const literalProblems = (value: Json, schema: JsonSchema, name: string): ReadonlyArray<Problem> => {
  const { $defs, definitions } = isObject(schema) ? schema : {}
  const shared = JSON.parse(JSON.stringify({ $defs, definitions })) as JsonObject
  const visit = (part: Json, given: unknown, path: DocumentPath): ReadonlyArray<Problem> => {
    if (typeof given !== "boolean" && !isObject(given)) return []
    const subject = path.length === 0 ? name : `"${path.at(-1)}"`
    if (!holdsExpression(part)) {
      const alone = isObject(given) ? { ...shared, ...alternativeFor(part, given) } : given
      return schemaFit(part, alone as JsonSchema, path, subject).map(asLiteral)
    }
    const target = isObject(given) ? alternativeFor(part, resolved(given, schema)) : {}
    if (isObject(part)) {
      const properties = propertiesOf(target as JsonSchema)
      const inside = Object.entries(part).flatMap(([param, entry]) =>
        visit(entry as Json, ownMember(properties, param), [...path, param]),
      )
      return path.length === 0 ? inside : [...unknownNames(part, target, path, subject), ...inside]
    }
    return Array.isArray(part)
      ? part.flatMap((item: Json, index) => visit(item, target["items"], [...path, index]))
      : []
  }
  return visit(value, schema, [])
}

/** The only alternative of a schema for a mapping, or for a list; the schema itself unless there is one. */
const alternativeFor = (
  part: Json,
  target: { readonly [keyword: string]: unknown },
): { readonly [keyword: string]: unknown } => {
  const { anyOf } = target
  if (typeof part !== "object" || part === null) return target
  const type = Array.isArray(part) ? "array" : "object"
  const fitting = (Array.isArray(anyOf) ? anyOf : []).filter(
    (one) => isObject(one) && one["type"] === type,
  )
  return fitting.length === 1 ? (fitting[0] as { readonly [keyword: string]: unknown }) : target
}

/** Names that a closed schema inside of a value does not have; a type says nothing of those in a list. */
const unknownNames = (
  part: JsonObject,
  target: { readonly [keyword: string]: unknown },
  path: DocumentPath,
  subject: string,
): ReadonlyArray<Problem> => {
  const properties = propertiesOf(target as JsonSchema)
  const unknown = Object.entries(part).filter(([name]) => ownMember(properties, name) === undefined)
  if (target["additionalProperties"] !== false || "patternProperties" in target) return []
  // Their values are looked at one by one; here only their names count.
  const names = Object.fromEntries(Object.keys(properties).map((known) => [known, true]))
  const closed: JsonSchema = { type: "object", properties: names, additionalProperties: false }
  return schemaFit(Object.fromEntries(unknown), closed, path, subject).map(asLiteral)
}

/** What a `$ref` points to; itself without one. */
const resolved = (
  schema: { readonly [keyword: string]: unknown },
  root: JsonSchema,
): { readonly [keyword: string]: unknown } => {
  const { $ref } = schema
  const target = typeof $ref === "string" && isObject(root) ? targetOf(root, $ref) : schema
  return isObject(target) ? target : {}
}

const asLiteral = (problem: Problem): Problem => ({ ...problem, code: "PL4007" })

/** Names that a schema leaves open and does not list: nothing is known to read them. */
const undeclared = (value: Json, schema: JsonSchema, name: string): ReadonlyArray<Problem> => {
  if (!isObject(value) || !isObject(schema) || closedSchema(schema) === schema) return []
  const names = Object.keys(propertiesOf(schema))
  return names.length === 0 || "allOf" in schema || "anyOf" in schema || "oneOf" in schema
    ? []
    : Object.keys(value)
        .filter((param) => !names.includes(param))
        .map((param) => ({
          code: "PL4005",
          severity: "warning",
          message: `${name} declares no "${param}"`,
          path: [param],
          spot: "key",
          help: hint(param, names, "it declares") ?? `it declares: ${abridge(names)}`,
          fix: nearKey(param, names, Object.keys(value)),
        }))
}

/** Expressions of which too little is known for what is expected. */
const untyped = (
  value: Json,
  schema: JsonSchema | undefined,
  path: DocumentPath,
  typing: Typing,
): ReadonlyArray<Problem> => {
  if (schema === undefined) return []
  if (isObject(value)) {
    const properties = propertiesOf(schema)
    return Object.entries(value).flatMap(([param, entry]) => {
      const property = ownMember(properties, param) as JsonSchema | undefined
      return untyped(entry as Json, property, [...path, param], typing)
    })
  }
  if (Array.isArray(value)) {
    const items = isObject(schema) ? (schema["items"] as JsonSchema | undefined) : undefined
    return value.flatMap((item: Json, index) => untyped(item, items, [...path, index], typing))
  }
  if (typeof value !== "string" || !holdsExpression(value)) return []
  const wanted = typeOfSchema(schema)
  const type = typing.typeOf(value)
  const subject = path.length === 0 ? "the value" : `"${path.at(-1)}"`
  const note = (message: string): ReadonlyArray<Problem> => [
    { code: "PL1207", severity: "note", message, path },
  ]
  if (wanted.kind !== "any" && type.kind === "any") {
    return note(
      `${subject} is ${describeType(wanted)}; the type of this expression is only known in a run`,
    )
  }
  const given = typing.inputOf(value)
  const isListed = type.kind === "string" && type.values !== undefined
  const open = rulesOf(schema).filter(
    ([word, rule]) =>
      !(isListed && (word === "enum" || word === "const")) &&
      (!isObject(given) || JSON.stringify(ownMember(given, word)) !== JSON.stringify(rule)),
  )
  return open.length === 0
    ? []
    : note(
        `${subject} has ${open.map(([word]) => word).join(", ")}, which only a run can check for this expression`,
      )
}

/** Keywords whose rules a type does not show. */
const beyondTypes: ReadonlySet<string> = new Set(
  `enum const pattern format minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
  minItems maxItems uniqueItems contains minProperties maxProperties patternProperties propertyNames
  dependentRequired dependentSchemas not if oneOf allOf $ref`.split(/\s+/),
)

const rulesOf = (schema: JsonSchema): ReadonlyArray<readonly [word: string, rule: unknown]> =>
  isObject(schema) ? Object.entries(schema).filter(([word]) => beyondTypes.has(word)) : []

const propertiesOf = (schema: JsonSchema): { readonly [name: string]: unknown } => {
  const properties = isObject(schema) ? schema["properties"] : undefined
  return isObject(properties) ? properties : {}
}
