/** How long something is kept, as it is written: `12h`, `30d`, `8w`. In milliseconds. */
import { parseAge } from "@planloom/plugin/duration"
import type { Shape } from "../Shape.ts"
import { wrongType } from "../Shape.ts"

/** Nothing is kept for minutes. */
const pattern = "^[1-9]\\d*[hdw]$"
const whole = new RegExp(pattern)

const expected = "a time such as 12h, 30d or 8w"

export const age: Shape<number> = {
  kind: "age",
  expected,
  decode: (value, context) => {
    if (typeof value === "string") {
      const kept = whole.test(value) ? parseAge(value) : undefined
      if (kept !== undefined) return kept
      context.problem({
        code: "PL0105",
        message: `"${value}" is not a time to keep something`,
        help: "write 12h, 30d or 8w",
      })
    } else wrongType(context, expected, value)
    return parseAge("1d")!
  },
  schema: () => ({ type: "string", pattern, examples: ["30d", "8w"] }),
}
