/** What every component promises, as assertions that throw with a sentence. */
import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { schemaProblems } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import type { Json, JsonSchema } from "@planloom/plugin/effect"

/** Writing to it, at any depth, throws. Shared parts and cycles are frozen once. */
export const deepFrozen = <A>(value: A): A => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) deepFrozen(part)
  }
  return value
}

/** Survives `JSON.parse(JSON.stringify(value))` unchanged. */
export const expectPlainData = (value: unknown, what: string): void => {
  assert.deepStrictEqual(
    value,
    value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown),
    `${what} is not plain data`,
  )
}

/** What the work fails with; that it succeeds is the failure of the test. */
export const failureOf = async <A, E>(work: Effect.Effect<A, E>, what: string): Promise<E> => {
  const ended = await Effect.runPromise(Effect.result(work))
  if (Result.isFailure(ended)) return ended.failure
  return assert.fail(`${what} did not fail, it gave ${JSON.stringify(ended.success)}`)
}

/** One line that says something. */
export const expectSummary = (summary: string, what: string): void => {
  assert.match(summary, /\S.{2,}/, `${what} has no summary`)
  assert.doesNotMatch(summary, /\n/, `the summary of ${what} has more than one line`)
}

/** snake_case, with at most one owner before a slash. */
export const expectId = (id: string): void =>
  assert.match(id, /^([a-z][a-z0-9_-]*\/)?[a-z][a-z0-9_]*$/, `"${id}" cannot be an id`)

/** The schema can be used, and each `default` in it fits the property it stands on. */
export const expectSchema = (schema: JsonSchema, what: string): void => {
  assert.deepStrictEqual(schemaProblems(schema), [], `${what} is not a usable JSON Schema`)
  expectDefaults(schema, what)
}

const expectDefaults = (schema: JsonSchema, what: string): void => {
  if (typeof schema === "boolean") return
  const { properties } = schema
  if (typeof properties !== "object" || properties === null) return
  for (const [name, property] of Object.entries(properties)) {
    const inner = property as JsonSchema
    if (typeof inner === "boolean") continue
    if ("default" in inner)
      expectFits(inner["default"] as Json, inner, `the default of ${name} in ${what}`)
    expectDefaults(inner, `${name} in ${what}`)
  }
}

export const expectFits = (value: Json, schema: JsonSchema, what: string): void => {
  const issues = validatorOf(schema)(value)
  assert.deepStrictEqual(
    issues.map(({ message, path }) => `${path} ${message}`.trim()),
    [],
    `${what} does not fit its schema`,
  )
}

/** An object schema: what `with` and `params` are. */
export const expectObjectSchema = (schema: JsonSchema, what: string): void =>
  assert.ok(
    schema === true || (typeof schema === "object" && schema["type"] === "object"),
    `${what} is not the schema of an object`,
  )
