/** The key `where` of a library: what a search of it may find, for the user and the inputs of a run. */
import { compileExpression, ExpressionFailed } from "@planloom/expression"
import type { Json, JsonObject, JsonSchema, Problem } from "@planloom/plugin/effect"
import { DocumentsFailed } from "../index/DocumentsFailed.ts"
import type { Filter } from "../index/Scope.ts"
import type { DocumentSet, WrittenSets } from "./readSets.ts"

/** Values that the expressions read. */
export interface BoundBy {
  readonly user: JsonObject
  readonly inputs: JsonObject
}

const scalar = { type: ["string", "number", "boolean"] } as const

/** Values of the expressions. */
export const boundSchema = {
  anyOf: [scalar, { type: "array", items: scalar }],
} as const satisfies JsonSchema

/** Fails with `DocumentsFailed` for an expression without a value: a bound that is not known is no reason to find all. */
export const boundsOf = ({ name, where }: DocumentSet, scope: BoundBy): Filter =>
  Object.fromEntries(
    Object.entries(where).map(([facet, text]) => [
      facet,
      valuesOf(evaluated(text, scope, name, facet), name, facet),
    ]),
  )

const evaluated = (text: string, { inputs, user }: BoundBy, name: string, facet: string): Json => {
  try {
    return compileExpression(text).evaluate({ user, inputs })
  } catch (error) {
    if (!(error instanceof ExpressionFailed)) throw error
    throw new DocumentsFailed(`where.${facet} of the library ${name}: ${error.message}`)
  }
}

const valuesOf = (value: Json, name: string, facet: string): ReadonlyArray<string> => {
  const values = Array.isArray(value) ? (value as ReadonlyArray<Json>) : [value]
  if (values.every(isScalar)) return values.map(String)
  throw new DocumentsFailed(
    `where.${facet} of the library ${name} gives neither a text, number or boolean nor a list of these`,
  )
}

const isScalar = (value: Json): boolean => ["string", "number", "boolean"].includes(typeof value)

/** Problems of a file, which belongs to no workflow: syntax and names. */
export const boundProblems = (sets: WrittenSets): ReadonlyArray<Problem> =>
  Object.entries(sets).flatMap(([name, { where = {} }]) =>
    Object.entries(where).flatMap(([facet, text]) => {
      const at = ["libraries", name, "where", facet]
      try {
        const unknown = compileExpression(text).references.find(
          ([root]) => root !== "user" && root !== "inputs",
        )
        return unknown === undefined
          ? []
          : [
              {
                code: "DOCUMENTS1",
                message: `"${unknown[0]}" is not known here`,
                at,
                fix: "Use user or inputs.",
              },
            ]
      } catch (error) {
        if (!(error instanceof ExpressionFailed)) throw error
        return [{ code: "DOCUMENTS2", message: error.message, at }]
      }
    }),
  )
