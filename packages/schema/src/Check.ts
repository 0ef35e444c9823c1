/** One schema as two functions: whether a value fits, and, asked only where it does not, what does not fit. */
import type { Dialect } from "./dialect.ts"
import type { Json, JsonSchema, SchemaIssue, SchemaObject } from "./Schema.ts"

export interface Check {
  readonly test: (value: Json) => boolean
  /** Adds what does not fit to `issues`; `path` is the JSON Pointer of `value`. */
  readonly explain: (value: Json, path: string, issues: Array<SchemaIssue>) => void
}

/** What the check of a keyword may look at. */
export interface Compiling {
  readonly root: SchemaObject
  readonly dialect: Dialect
  readonly compile: (schema: JsonSchema) => Check
  readonly reference: (reference: string) => Check
}

/** The schema has a keyword that only Ajv reads. */
export class NeedsAjv extends Error {
  override readonly name = "NeedsAjv"
}

/** A check with one message. */
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

/** Everything that several checks find. */
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

/** What the check finds in a value that does not fit. */
export const issuesOf = (check: Check, value: Json, path = ""): ReadonlyArray<SchemaIssue> => {
  const issues: Array<SchemaIssue> = []
  check.explain(value, path, issues)
  return issues
}
