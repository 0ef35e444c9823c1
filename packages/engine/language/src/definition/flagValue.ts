/** Values of flags: what a flag may be, and what it cannot. */
import type { Flag, FlagValue } from "./Definition.ts"

export const isFlagValue = (value: unknown): value is FlagValue =>
  typeof value === "boolean" || typeof value === "number" || typeof value === "string"

/** The condition that the value does not meet: `at most 5`. Undefined if it fits. */
export const mismatchOf = (
  value: FlagValue,
  { enum: values, maximum, minimum }: Partial<Pick<Flag, "enum" | "maximum" | "minimum">>,
): string | undefined => {
  if (values !== undefined && Array.isArray(values) && !values.includes(value)) {
    return `one of ${values.map((one) => JSON.stringify(one)).join(", ")}`
  }
  if (typeof value !== "number") return undefined
  if (minimum !== undefined && value < minimum) return `at least ${minimum}`
  return maximum !== undefined && value > maximum ? `at most ${maximum}` : undefined
}
