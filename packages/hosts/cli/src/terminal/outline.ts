/** Formats a value of JSON as indented lines, as YAML would: easier to read than brackets. */
import type { Json } from "@planloom/plugin/effect"
import { visible, widthOf, wrap } from "./text.ts"

const INDENT = "  "
/** Cells of the deepest line: a narrow terminal cuts no text to single letters. */
const MIN_WIDTH = 20

/** The lines of the value, wrapped to `width` cells. */
export const outline = (value: Json, width: number): ReadonlyArray<string> => {
  const inner = Math.max(MIN_WIDTH, width - INDENT.length)
  if (Array.isArray(value) && value.length > 0) {
    return (value as ReadonlyArray<Json>).flatMap((item) =>
      outline(item, inner).map((line, index) => `${index === 0 ? "- " : INDENT}${line}`),
    )
  }
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    return wrap(scalar(value), width)
  }
  return Object.entries(value).flatMap(([key, member]) => {
    const name = visible(key)
    const [first = "", ...rest] = outline(member, inner)
    return rest.length === 0 && isFlat(member) && widthOf(name) + 2 + widthOf(first) <= width
      ? [`${name}: ${first}`]
      : [`${name}:`, ...[first, ...rest].map((line) => `${INDENT}${line}`)]
  })
}

const isFlat = (value: Json): boolean =>
  typeof value !== "object" || value === null || Object.keys(value).length === 0

const scalar = (value: Json): string =>
  typeof value === "string" ? visible(value) : JSON.stringify(value)
