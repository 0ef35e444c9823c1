/** Shapes of single values: text, numbers, durations, names, expressions, choices. */
import type { Json } from "@planloom/plugin/effect"
import { abridge, snakeCase, suggest } from "@planloom/expression/suggestion"
import { durationPattern, formatDuration, parseDuration } from "@planloom/plugin/duration"
import { describeJson, wrongType } from "../Shape.ts"
import { nearValue, type Fix } from "../Fix.ts"
import type { DecodeContext, Shape } from "../Shape.ts"

/** Text; `""` when the file has something else, which the report then says. */
export const text = (expected = "text"): Shape<string> => ({
  kind: "text",
  expected,
  decode: (value, context) => {
    if (typeof value === "string" && value !== "") return value
    if (value === "") context.problem({ code: "PL0103", message: `expected ${expected}, found ""` })
    else wrongType(context, expected, value, scalarHelp(value), quotedFix(value))
    return ""
  },
  schema: () => ({ type: "string", minLength: 1 }),
})

const scalarHelp = (value: Json): string | undefined =>
  typeof value === "number" || typeof value === "boolean"
    ? `quote it to make it text: "${value}"`
    : undefined

/** A number or condition as text. */
const quotedFix = (value: Json): Fix | undefined =>
  typeof value === "number" || typeof value === "boolean" ? { value: String(value) } : undefined

export const boolean: Shape<boolean> = {
  kind: "boolean",
  expected: "true or false",
  decode: (value, context) => {
    if (typeof value === "boolean") return value
    const word = typeof value === "string" ? value.toLowerCase() : ""
    const meant = ["yes", "on", "true"].includes(word)
      ? true
      : ["no", "off", "false"].includes(word)
        ? false
        : undefined
    if (meant === undefined) wrongType(context, "true or false", value)
    else wrongType(context, "true or false", value, `write ${meant}`, { value: meant })
    return false
  },
  schema: () => ({ type: "boolean" }),
}

export interface Bounds {
  readonly integer?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly above?: number
}

/** A number within bounds; the nearest bound stands in for one outside. */
export const number = (bounds: Bounds = {}): Shape<number> => {
  const expected = bounds.integer ? "a whole number" : "a number"
  const { minimum, maximum, above } = bounds
  return {
    kind: "number",
    expected,
    decode: (value, context) => {
      if (typeof value !== "number") {
        const meant = typeof value === "string" ? numberMeant(value) : undefined
        if (meant === undefined) wrongType(context, expected, value)
        else wrongType(context, expected, value, meant.help, { value: meant.number })
        return minimum ?? 1
      }
      if (bounds.integer && !Number.isInteger(value)) {
        wrongType(context, expected, value)
        return Math.round(value)
      }
      const wrong =
        minimum !== undefined && value < minimum
          ? `at least ${minimum}`
          : above !== undefined && value <= above
            ? `more than ${above}`
            : maximum !== undefined && value > maximum
              ? `at most ${maximum}`
              : undefined
      if (wrong === undefined) return value
      context.problem({ code: "PL0106", message: `must be ${wrong}, found ${value}` })
      return minimum ?? 1
    },
    schema: () => ({
      type: bounds.integer ? "integer" : "number",
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
      ...(above === undefined ? {} : { exclusiveMinimum: above }),
    }),
  }
}

/** For `"5"`, `6k`, `1.5M`, `60_000` and `60,000`. */
const numberMeant = (
  written: string,
): { readonly number: number; readonly help: string } | undefined => {
  if (written.trim() !== "" && Number.isFinite(Number(written)))
    return { number: Number(written), help: `remove the quotes: ${written}` }
  const [, digits, unit] =
    /^(\d{1,3}(?:[_,]\d{3})+|\d+(?:\.\d+)?)\s*([km]?)$/i.exec(written.trim()) ?? []
  if (digits === undefined) return undefined
  const times = { k: 1000, m: 1_000_000 }[unit!.toLowerCase()] ?? 1
  const meant = Number((Number(digits.replaceAll(/[_,]/g, "")) * times).toPrecision(12))
  return { number: meant, help: `write ${meant}` }
}

const aDuration = "a duration such as 500ms, 30s, 1h30m, 1.5h or 3d"

const durationShape = (zero: "allowed" | "refused"): Shape<number> => ({
  kind: "duration",
  expected: aDuration,
  decode: (value, context) => {
    const parsed = typeof value === "string" ? parseDuration(value) : undefined
    if (parsed !== undefined && (parsed > 0 || zero === "allowed")) return parsed
    if (typeof value === "string" || typeof value === "number") {
      context.problem({
        code: "PL0105",
        message:
          parsed === 0
            ? "a duration must be more than nothing"
            : `${typeof value === "number" ? value : `"${value}"`} is not a duration`,
        ...durationMeant(value),
      })
    } else wrongType(context, aDuration, value)
    return 1000
  },
  schema: () => ({ type: "string", pattern: durationPattern, examples: ["30s", "5m", "1h30m"] }),
})

/** Milliseconds, more than none. */
export const duration: Shape<number> = durationShape("refused")

/** Milliseconds; `0s` is allowed. */
export const pause: Shape<number> = durationShape("allowed")

/** A number with a unit that no other one is called by. */
const unitWords =
  /^\d+(?:\.\d+)?\s*(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)$/

const durationMeant = (value: string | number): { readonly help: string; readonly fix?: Fix } => {
  if (typeof value === "number") {
    return { help: `write the unit: ${value}ms, ${value}s, ${value}m, ${value}h or ${value}d` }
  }
  const found = /^([\d.]+)\s*(ms|milli|s|sec|m|min|h|hour|d|day)/i.exec(value.trim())
  const sizes: { [unit: string]: number } = { ms: 1, mi: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5 }
  if (found) {
    const unit = found[2]!.toLowerCase()
    const size = unit === "ms" || unit === "milli" ? 1 : sizes[unit[0]!]!
    const milliseconds = Number(found[1]) * size
    if (milliseconds > 0) {
      const better = formatDuration(milliseconds)
      const isCertain = unitWords.test(value.trim()) && parseDuration(better) === milliseconds
      return { help: `write ${better}`, ...(isCertain ? { fix: { value: better } } : {}) }
    }
  }
  return { help: "write 500ms, 30s, 5m or 1h30m" }
}

/** One of a closed set of words. */
export const oneOf = <const A extends string>(...words: ReadonlyArray<A>): Shape<A> => ({
  kind: "oneOf",
  expected: `one of ${abridge(words)}`,
  decode: (value, context) => {
    if (words.includes(value as A)) return value as A
    const near = typeof value === "string" ? suggest(value, words) : undefined
    const listed = `it is one of: ${words.join(", ")}`
    context.problem({
      code: "PL0104",
      message: `unknown value ${describeJson(value).replace("the text ", "")}`,
      help: near === undefined ? listed : `did you mean "${near}"? ${listed}`,
      fix: nearValue(value, words),
    })
    return words[0]!
  },
  schema: () => ({ enum: words }),
})

const namePattern = "^[a-z][a-z0-9_]*$"
const validName = new RegExp(namePattern)

/** What CEL keeps for itself: these words cannot begin a path in an expression. */
const reservedWords: ReadonlySet<string> = new Set([
  ..."as break const continue else for function if import let loop package namespace".split(" "),
  ..."return var void while in true false null has cel".split(" "),
])

/** Why a name cannot be one, with a better one; undefined when it can. */
export const nameProblem = (
  name: string,
): { readonly message: string; readonly help: string; readonly better?: string } | undefined => {
  if (reservedWords.has(name)) {
    return {
      message: `"${name}" is a word of the expression language and cannot be a name`,
      help: `take another one: ${name}_stage, the_${name}`,
    }
  }
  if (validName.test(name)) return undefined
  const better = snakeCase(name)
    .replace(/[^a-z0-9_]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "")
  return {
    message: `"${name}" cannot be a name: a name is a-z, 0-9 and _, and begins with a letter`,
    help: better === "" ? "such as: extract_requirements" : `write ${better}`,
    ...(validName.test(better) && !reservedWords.has(better) ? { better } : {}),
  }
}

/** Says what is wrong with a name, if anything. */
export const checkName = (name: string, context: DecodeContext, spot: "key" | "value"): void => {
  const wrong = nameProblem(name)
  if (wrong === undefined) return
  const { better, ...said } = wrong
  const fix =
    better === undefined ? undefined : spot === "key" ? { key: better } : { value: better }
  context.problem({ code: "PL0107", ...said, fix, spot })
}

/** A name that expressions can use. */
export const name: Shape<string> = {
  kind: "name",
  expected: "a name such as extract_requirements",
  decode: (value, context) => {
    if (typeof value !== "string") {
      wrongType(context, name.expected, value, scalarHelp(value))
      return ""
    }
    checkName(value, context, "value")
    return value
  },
  schema: () => ({ type: "string", pattern: namePattern }),
}

/** CEL. `true` and `false` may be written without quotes; other values come with their own message. */
export const expression = (gives: string): Shape<string> => ({
  kind: "expression",
  expected: `an expression that gives ${gives}`,
  decode: (value, context) => {
    if (typeof value === "string" && value.trim() !== "") return value
    if (typeof value === "boolean") return String(value)
    wrongType(context, `an expression that gives ${gives}`, value)
    return ""
  },
  schema: () => ({ type: ["string", "boolean"] }),
})

/** Any plain value. */
export const json: Shape<Json> = {
  kind: "json",
  expected: "a value",
  decode: (value) => value,
  schema: () => ({}),
}
