/** Interprets bare text as a literal, number or string. */
import type { Json, SyntaxRepair } from "../../Salvage.ts"

export interface Plain {
  readonly kind: "literal" | "number" | "string"
  readonly value: Json
  readonly repair?: SyntaxRepair
}

const literals = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
])
/** Literals of Python, JavaScript, Ruby, R and Go. */
const foreign = new Map<string, Json>([
  ["True", true],
  ["False", false],
  ["None", null],
  ["undefined", null],
  ["nil", null],
  ["NULL", null],
  ["Null", null],
  ["TRUE", true],
  ["FALSE", false],
])
const NOT_FINITE = /^[-+]?(?:NaN|nan|Infinity|inf|Inf)$/
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/
/** JSON5 numbers, `1_000`, and cut numbers: `2.`, `2e`, `2e+`. A leading zero makes text, such as a postcode. */
const NUMBER = /^[-+]?(?:(?:0|[1-9]\d*(?:_\d+)*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d*)?$/
const HEX = /^[-+]?0[xX][0-9a-fA-F]+$/

/** `cut`: the text ends here, so that the start of a literal is completed. */
export const plain = (text: string, cut: boolean): Plain => {
  if (literals.has(text)) return { kind: "literal", value: literals.get(text)! }
  const first = text[0]!
  if (JSON_NUMBER.test(text)) return number(text)
  if (foreign.has(text)) {
    return { kind: "literal", value: foreign.get(text)!, repair: "other_literal" }
  }
  if (NOT_FINITE.test(text)) return { kind: "literal", value: null, repair: "not_finite" }
  if (HEX.test(text)) {
    const value = Number(text.replace(/^[-+]/, ""))
    return {
      kind: "number",
      value: first === "-" && value !== 0 ? -value : value,
      repair: "other_number",
    }
  }
  if (NUMBER.test(text)) {
    const normalized = text
      .replaceAll("_", "")
      .replace(/[eE][-+]?$/, "")
      .replace(/^\+/, "")
    const read = number(normalized)
    return read.kind === "number" ? { repair: "other_number", ...read } : read
  }
  if (cut) {
    const whole = started(text)
    if (whole !== undefined)
      return { kind: "literal", value: literals.get(whole)!, repair: "other_literal" }
  }
  return { kind: "string", value: text, repair: "unquoted_text" }
}

const started = (text: string): string | undefined =>
  /^[a-z]{1,5}$/.test(text) ? [...literals.keys()].find((word) => word.startsWith(text)) : undefined

/** A number beyond a double gets a repair: `inexact_number`, or `not_finite` for `1e999`. */
const number = (text: string): Plain => {
  const value = Number(text)
  if (!Number.isFinite(value)) return { kind: "literal", value: null, repair: "not_finite" }
  // JSON.stringify writes -0 as 0.
  const unsigned = value === 0 ? 0 : value
  return text.length > 15 && !isExact(text, value)
    ? { kind: "number", value: unsigned, repair: "inexact_number" }
    : { kind: "number", value: unsigned }
}

const isExact = (text: string, value: number): boolean =>
  /^-?\d+$/.test(text)
    ? Number.isSafeInteger(value) || BigInt(text) === BigInt(value)
    : !/\d{17}/.test(text)
