/** The shape of a flag: its default as a plain value. */
import type { FlagValue } from "../Definition.ts"
import { wrongType, type Shape } from "../Shape.ts"

const expected = "true, false, a number or text"

export const flag: Shape<FlagValue> = {
  kind: "flag",
  expected,
  decode: (value, context) => {
    if (typeof value === "boolean" || typeof value === "number" || typeof value === "string") {
      return value
    }
    wrongType(context, expected, value)
    return false
  },
  schema: () => ({ type: ["boolean", "number", "string"] }),
}
