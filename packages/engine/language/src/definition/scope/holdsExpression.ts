/** Whether `${{ }}` stands anywhere in a value as written. */
import type { Json } from "@planloom/plugin/effect"

export const holdsExpression = (value: Json): boolean => JSON.stringify(value).includes("${{")
