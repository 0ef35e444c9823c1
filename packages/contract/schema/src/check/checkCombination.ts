/** Checks keywords that combine schemas: `anyOf`, `oneOf`, `allOf`, `not`, `if`. */
import { all, anything, type Check, type Compiling, issuesOf, refusal } from "./Check.ts"
import type { JsonSchema, SchemaIssue, SchemaObject } from "../Schema.ts"

export const checkCombination = (
  schema: SchemaObject,
  { compile }: Compiling,
): ReadonlyArray<Check> => {
  const { allOf, anyOf, else: otherwise, if: condition, not, oneOf, then } = schema
  const compiled = (list: unknown) => (list as ReadonlyArray<JsonSchema>).map(compile)
  const checks: Array<Check> = []
  if (allOf !== undefined) checks.push(all(compiled(allOf)))
  if (anyOf !== undefined) checks.push(any(compiled(anyOf)))
  if (oneOf !== undefined) checks.push(one(compiled(oneOf)))
  if (not !== undefined) {
    const inner = compile(not as JsonSchema)
    checks.push(refusal("not", (value) => !inner.test(value), "must not be valid"))
  }
  if (condition !== undefined && (then !== undefined || otherwise !== undefined)) {
    checks.push(
      choice(
        compile(condition as JsonSchema),
        then === undefined ? anything : compile(then as JsonSchema),
        otherwise === undefined ? anything : compile(otherwise as JsonSchema),
      ),
    )
  }
  return checks
}

const any = (checks: ReadonlyArray<Check>): Check => ({
  test: (value) => {
    for (const { test } of checks) if (test(value)) return true
    return false
  },
  explain: (value, path, issues) => {
    if (!checks.some(({ test }) => test(value)))
      issues.push(
        ...nearest(
          checks.map((check) => issuesOf(check, value, path)),
          path,
        ),
      )
  },
})

const one = (checks: ReadonlyArray<Check>): Check => {
  const fitting = (value: Parameters<Check["test"]>[0]) =>
    checks.filter(({ test }) => test(value)).length
  return {
    test: (value) => fitting(value) === 1,
    explain: (value, path, issues) => {
      const count = fitting(value)
      if (count === 1) return
      if (count === 0)
        issues.push(
          ...nearest(
            checks.map((check) => issuesOf(check, value, path)),
            path,
          ),
        )
      else
        issues.push({ path, message: "must fit exactly one of its alternatives", keyword: "oneOf" })
    },
  }
}

/** Selects the intended alternative: the one whose issues are deepest in the value. */
const nearest = (
  alternatives: ReadonlyArray<ReadonlyArray<SchemaIssue>>,
  path: string,
): ReadonlyArray<SchemaIssue> =>
  alternatives.reduce<ReadonlyArray<SchemaIssue> | undefined>(
    (best, next) => (best === undefined || depthOf(next) > depthOf(best) ? next : best),
    undefined,
  ) ?? [{ path, message: "has no alternative to fit", keyword: "anyOf" }]

const depthOf = (issues: ReadonlyArray<SchemaIssue>): number =>
  Math.min(...issues.map(({ path }) => path.split("/").length))

const choice = (condition: Check, then: Check, otherwise: Check): Check => ({
  test: (value) => (condition.test(value) ? then : otherwise).test(value),
  explain: (value, path, issues) =>
    (condition.test(value) ? then : otherwise).explain(value, path, issues),
})
