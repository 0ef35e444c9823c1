/** Checks the expressions of tools: syntax, names, and types by the schemas of params and result. */
import type { JsonSchema, Tool } from "@planloom/plugin/effect"
import { unwrapExpression } from "@planloom/expression"
import { hint } from "@planloom/expression/suggestion"
import {
  any,
  bool,
  describeType,
  fits,
  infer,
  listOf,
  nullType,
  parseExpression,
  schemaOfType,
  string,
  SyntaxProblem,
  typeOfSchema,
  union,
  widen,
  type Environment,
  type Type,
} from "@planloom/expression/check"
import { relaxMembers } from "@planloom/schema"
import type { DocumentPath } from "../../Definition.ts"
import type { Problem } from "../../Problem.ts"
import { ownMember } from "../../ownMember.ts"
import { calls, session } from "../toolVariables.ts"

/** What expressions stand in, and what they are about. */
type Expressive = Pick<
  Tool,
  | "approval"
  | "approval_fields"
  | "defaults"
  | "entities"
  | "normalize"
  | "notes"
  | "requires"
  | "result"
  | "summarize"
> & { readonly params: JsonSchema | undefined }

/** The problems of a tool whose description stands at `path`. Without a schema, params and result may be anything. */
export const examineTool = (
  {
    approval = {},
    approval_fields: fields,
    defaults = {},
    entities = {},
    normalize = {},
    notes,
    params,
    requires = [],
    result,
    summarize,
  }: Expressive,
  path: DocumentPath,
): ReadonlyArray<Problem> => {
  const outcome = { params: typeOf(params), result: typeOf(result) }
  return [
    ...(summarize === undefined
      ? []
      : examined(summarize, [...path, "summarize"], outcome, string)),
    ...(notes === undefined
      ? []
      : examined(notes, [...path, "notes"], outcome, union([listOf(string), nullType]))),
    ...Object.entries(entities).flatMap(([type, text]) =>
      examined(text, [...path, "entities", type], outcome, any),
    ),
    ...Object.entries(normalize).flatMap(([param, text]) =>
      ofParam(params, param, [...path, "normalize", param], (expected, at) =>
        examined(text, at, { params: typeOf(giving(params, param, normalize)) }, expected),
      ),
    ),
    ...Object.entries(defaults).flatMap(([param, text]) =>
      ofParam(params, param, [...path, "defaults", param], (expected, at) =>
        examined(text, at, filling(params), union([expected, nullType])),
      ),
    ),
    ...requires.flatMap(({ that }, index) =>
      examined(
        that,
        [...path, "requires", index, "that"],
        { params: outcome.params, calls, session },
        bool,
      ),
    ),
    ...Object.keys(approval).flatMap((field) =>
      paramSchema(fields ?? params, field) === undefined
        ? [
            {
              code: "PL0101",
              message: `an approval of the tool shows no field "${field}"`,
              path: [...path, "approval", field],
              spot: "key" as const,
              help: hint(field, namesIn(fields ?? params), "it shows"),
            },
          ]
        : [],
    ),
  ]
}

/** A tool that says what an approval shows or what its calls require, or has another expression. */
export const isExamined = ({
  approval,
  defaults,
  entities,
  normalize,
  notes,
  requires,
  summarize,
}: Omit<Expressive, "params">): boolean =>
  [approval, defaults, entities, normalize, notes, requires, summarize].some(
    (one) => one !== undefined,
  )

const namesIn = (schema: JsonSchema | undefined): ReadonlyArray<string> =>
  typeof schema === "object" ? Object.keys((schema["properties"] ?? {}) as object) : []

/** The problems of an expression that gives a param; a param that the tool does not have is one. */
const ofParam = (
  params: JsonSchema | undefined,
  param: string,
  path: DocumentPath,
  problems: (expected: Type, path: DocumentPath) => ReadonlyArray<Problem>,
): ReadonlyArray<Problem> => {
  const expected = paramSchema(params, param)
  return expected === undefined
    ? [{ code: "PL0101", message: `the tool has no param "${param}"`, path, spot: "key" }]
    : problems(typeOf(expected), path)
}

const anyMembers = typeOfSchema({ type: "object" })

/** The scope of defaults: they read a call before it is complete. A catalog serves workflows with different inputs and users. */
const filling = (params: JsonSchema | undefined) => ({
  params: typeOf(
    params === undefined
      ? undefined
      : relaxMembers(params, { free: [], optional: namesIn(params) }),
  ),
  inputs: anyMembers,
  session,
  user: anyMembers,
})

/**
 * The expression of a param is evaluated only if the param is given. Before it is normalized, its value may
 * be another than those that the schema lists.
 */
const giving = (
  params: JsonSchema | undefined,
  param: string,
  normalize: { readonly [param: string]: string },
): JsonSchema | undefined => {
  if (params === undefined || typeof params === "boolean") return params
  const { properties = {}, required = [] } = params as {
    readonly properties?: { readonly [name: string]: JsonSchema }
    readonly required?: ReadonlyArray<string>
  }
  const widened = Object.keys(normalize).flatMap((name) => {
    const schema = ownMember(properties, name)
    return schema === undefined ? [] : [[name, schemaOfType(widen(typeOf(schema)))] as const]
  })
  return {
    ...params,
    properties: { ...properties, ...Object.fromEntries(widened) },
    required: [...required, param],
  }
}

const typeOf = (schema: JsonSchema | undefined): Type =>
  schema === undefined || schema === true ? any : typeOfSchema(schema)

/** Undefined for a param that the schema excludes. */
const paramSchema = (params: JsonSchema | undefined, param: string): JsonSchema | undefined => {
  if (params === undefined || typeof params === "boolean") return true
  const { additionalProperties, properties } = params as {
    readonly properties?: { readonly [name: string]: JsonSchema }
    readonly additionalProperties?: JsonSchema
  }
  return ownMember(properties, param) ?? (additionalProperties === false ? undefined : true)
}

const examined = (
  text: string,
  path: DocumentPath,
  roots: { readonly [name: string]: Type },
  expected: Type,
): ReadonlyArray<Problem> => {
  const source = unwrapExpression(text)
  const from = Math.max(0, text.indexOf(source))
  try {
    const tree = parseExpression(source)
    const { issues, type } = infer(tree, source, environmentOf(roots))
    if (issues.length > 0) {
      return issues.map(({ end, start, ...issue }) => ({
        ...issue,
        path,
        within: { from: from + start, to: from + end },
      }))
    }
    return fits(type, expected)
      ? []
      : [
          {
            code: "PL1204",
            message: `expected ${describeType(expected)}, this is ${describeType(type)}`,
            path,
            within: { from: from + tree.start, to: from + tree.end },
          },
        ]
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    const { code, end, help, message, start } = error
    const to = Math.min(Math.max(end, start + 1), source.length + 1)
    return [{ code, message, path, within: { from: from + start, to: from + to }, help }]
  }
}

const environmentOf = (types: { readonly [name: string]: Type }): Environment => ({
  roots: Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, { type, optional: false }]),
  ),
  unknownRoot: (name) => ({
    code: "PL1101",
    message: `there is nothing called "${name}" here`,
    help: `an expression of a tool reads ${listed(Object.keys(types))}`,
  }),
})

const listed = (names: ReadonlyArray<string>): string =>
  [names.slice(0, -1).join(", "), names.at(-1)].filter((one) => one !== "").join(" and ")
