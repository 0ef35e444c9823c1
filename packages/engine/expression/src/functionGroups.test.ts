/** What is documented of each function: its example and its signature. */
import { describe, expect, it } from "vitest"
import { allFunctions } from "./evaluate/functions.ts"
import { compileExpression } from "./Expression.ts"
import { functionGroups } from "./functionGroups.ts"
import { infer } from "./infer/infer.ts"
import { fits } from "./infer/Type.ts"
import { typeOfValue } from "./infer/typeOfSchema.ts"
import { macros } from "./syntax/Node.ts"
import { parseExpression } from "./syntax/parse.ts"

const documented = functionGroups.flatMap(({ functions: group }) => group)
const environment = { roots: {}, unknownRoot: () => ({ code: "PL1101", message: "unknown" }) }

describe("the documentation of functions", () => {
  it("has every function and macro once", () => {
    expect(documented.map(({ name }) => name).toSorted()).toEqual(
      [...allFunctions().keys(), ...macros, "has"].toSorted(),
    )
  })

  it.each(documented.map((one) => [one.name, one] as const))(
    "%s has an example that passes the check and has the stated result",
    (name, { example: { expression, result } }) => {
      expect(expression).toContain(name)
      expect(compileExpression(expression).evaluate({})).toEqual(result)
      const { issues, type } = infer(parseExpression(expression), expression, environment)
      expect(issues.filter(({ severity }) => severity !== "warning")).toEqual([])
      expect(fits(typeOfValue(result), type)).toBe(true)
    },
  )

  it.each([...allFunctions().values()].map((one) => [one.signature, one] as const))(
    "%s names each parameter",
    (signature, { optional, params, variadic }) => {
      // Of alternatives, the last one has all parameters, except of zip, whose first one has.
      const forms = [...signature.matchAll(/\w+\((.*?)\)(?: →| or|$)/g)].map(([, list]) => list!)
      const counts = forms.map((form) => form.replace(/\{.*?\}|<.*?>/g, "").split(", ").length)
      expect(Math.max(...counts)).toBe(params.length + (variadic ? 1 : 0))
      const fewest =
        forms.length > 1 ? Math.min(...counts) : counts[0]! - signature.split("?:").length + 1
      expect(fewest - (variadic ? 1 : 0)).toBe(params.length - optional)
    },
  )
})
