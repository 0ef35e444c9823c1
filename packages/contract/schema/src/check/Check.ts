/** A compiled schema: one function tests a value, another lists the issues of an invalid one. */
import type { Dialect } from "../dialect.ts"
import type { Json, JsonSchema, SchemaIssue, SchemaObject } from "../Schema.ts"

export interface Check {
  readonly test: (value: Json) => boolean
  /** Appends the issues of an invalid value to `issues`; `path` is the JSON Pointer of `value`. */
  readonly explain: (value: Json, path: string, issues: Array<SchemaIssue>) => void
}

/** Context of a keyword's check. */
export interface Compiling {
  readonly root: SchemaObject
  readonly dialect: Dialect
  readonly compile: (schema: JsonSchema) => Check
  readonly reference: (reference: string) => Check
}

/** The schema has a keyword that only Ajv supports. */
export class NeedsAjv extends Error {
  override readonly name = "NeedsAjv"
}

/** Creates a check with one message. */
export const refusal = (
  keyword: string,
  test: (value: Json) => boolean,
  message: string,
): Check => ({
  test,
  explain: (value, path, issues) => {
    if (!test(value)) issues.push({ path, message, keyword })
  },
})

export const anything: Check = { test: () => true, explain: () => undefined }

export const nothing: Check = refusal("false", () => false, "is not allowed here")

/** Combines the issues of several checks. */
export const all = (checks: ReadonlyArray<Check>): Check => {
  const [first = anything, second, ...more] = checks
  if (second === undefined) return first
  const explain: Check["explain"] = (value, path, issues) => {
    for (const check of checks) check.explain(value, path, issues)
  }
  if (more.length === 0)
    return { test: (value) => first.test(value) && second.test(value), explain }
  const tests = checks.map(({ test }) => test)
  return {
    test: (value) => {
      for (const test of tests) if (!test(value)) return false
      return true
    },
    explain,
  }
}

/** The issues of an invalid value. */
export const issuesOf = (check: Check, value: Json, path = ""): ReadonlyArray<SchemaIssue> => {
  const issues: Array<SchemaIssue> = []
  check.explain(value, path, issues)
  return issues
}
