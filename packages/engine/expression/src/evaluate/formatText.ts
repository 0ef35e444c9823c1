/** Fills the verbs of a text such as `%s costs %.2f` with values, as the function `format`. */
import type { Json } from "@planloom/plugin/effect"
import { checkLength, fail, renderText, show } from "./ExpressionFunction.ts"

const verbs = /%(?:\.(\d{1,2}))?(.?)/gsu

const MAX_DIGITS = 20

export const formatText = (text: string, values: ReadonlyArray<Json>): string => {
  let used = 0
  let length = text.length
  const filled = text.replace(verbs, (verb, digits: string | undefined, letter: string) => {
    if (verb === "%%") return "%"
    if (unknownVerb(verb) !== undefined) return fail(`format() has no "${verb}"`)
    const value = values[used++]
    if (value === undefined) {
      return fail(`format() needs a value for each "%…", found only ${values.length}`)
    }
    const shown = render(letter, value, digits)
    length += shown.length
    checkLength(length, "format")
    return shown
  })
  return used < values.length
    ? fail(`format() has ${values.length} values for ${used} "%…"`)
    : filled
}

const render = (letter: string, value: Json, digits: string | undefined): string => {
  if (letter === "s") return renderText(value)
  if (typeof value !== "number") return fail(`"%${letter}" needs a number, found ${show(value)}`)
  if (letter === "f") return value.toFixed(Number(digits ?? 6))
  if (!Number.isInteger(value)) return fail(`"%${letter}" needs a whole number, found ${value}`)
  return value.toString(letter === "x" ? 16 : 10)
}

/** The first verb of a text that `format` does not have. */
export const unknownVerb = (text: string): string | undefined => {
  for (const [verb, digits, letter = ""] of text.matchAll(verbs)) {
    const known =
      digits === undefined
        ? verb === "%%" || ["s", "d", "f", "x"].includes(letter)
        : letter === "f" && Number(digits) <= MAX_DIGITS
    if (!known) return verb
  }
  return undefined
}
