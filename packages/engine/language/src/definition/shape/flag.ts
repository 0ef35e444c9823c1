/** The shape of a flag: its default as a plain value, or with bounds and the variable that gives another. */
import type { Json } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import type { Flag, FlagValue } from "../Definition.ts"
import { isFlagValue, mismatchOf } from "../flagValue.ts"
import { wrongType, type DecodeContext, type Shape } from "../Shape.ts"
import { list } from "./collections.ts"
import { object, optional, required } from "./object.ts"
import { number, text } from "./scalars.ts"

const expected = "true, false, a number or text"

/** The value of a flag. */
export const flagValue: Shape<FlagValue> = {
  kind: "flag value",
  expected,
  decode: (given, context) => {
    if (isFlagValue(given)) return given
    wrongType(context, expected, given)
    return false
  },
  schema: () => ({ type: ["boolean", "number", "string"] }),
}

const long = object(
  {
    default: required(flagValue, "Its value unless another is given."),
    minimum: optional(number(), "The smallest number it may be."),
    maximum: optional(number(), "The greatest number it may be."),
    enum: optional(list(flagValue, { atLeast: 1 }), "The values it may have."),
    env: optional(
      text("the name of an environment variable"),
      "A variable that gives another value, besides PLANLOOM_FLAG_<NAME>.",
    ),
  },
  {
    expected: "a flag such as { default: 2, minimum: 1, maximum: 5 }",
    aliases: { value: "default", min: "minimum", max: "maximum", values: "enum", variable: "env" },
    check: (raw, context) => checkTogether(raw, context),
  },
)

/** The value that stands in for a wrong one is not checked. */
const checkTogether = (raw: { readonly [key: string]: Json }, context: DecodeContext): void => {
  const { default: given, enum: values, env, maximum, minimum } = raw
  if (!isFlagValue(given)) return
  const conflict = (key: string, message: string, help: string) =>
    context.at(key).problem({ code: "PL0110", message, help, spot: "key" })
  for (const key of ["minimum", "maximum"] as const) {
    if (raw[key] !== undefined && typeof given !== "number") {
      conflict(
        key,
        `only a number has a ${key}`,
        "remove it, or write enum: the values it may have",
      )
    }
  }
  if (typeof minimum === "number" && typeof maximum === "number" && minimum > maximum) {
    conflict("maximum", "`maximum` is less than `minimum`", "exchange them")
  }
  if (Array.isArray(values) && values.some((one: Json) => typeof one !== typeof given)) {
    conflict("enum", "`enum` has a value of another type than the default", "give all one type")
  }
  if (env !== undefined && typeof given === "string" && values === undefined) {
    const message = "text from a variable needs `enum`: it could be a secret"
    conflict("env", message, "enum: the values it may have")
  }
  if (typeof env === "string" && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(env)) {
    conflict("env", `"${env}" is no name of a variable`, "use letters, digits and _")
  }
  const mismatch = mismatchOf(given, raw as unknown as Partial<Flag>)
  if (mismatch !== undefined) {
    context
      .at("default")
      .problem({ code: "PL0106", message: `must be ${mismatch}, found ${given}` })
  }
}

export const flag: Shape<Flag> = {
  kind: "flag",
  expected: long.expected,
  decode: (given, context) => {
    if (!isObject(given)) return { ...plain, value: flagValue.decode(given, context) }
    const { default: first, ...rest } = long.decode(given, context)
    return { ...rest, value: first }
  },
  schema: (definitions) => ({ anyOf: [flagValue.schema(definitions), long.schema(definitions)] }),
}

const plain = { minimum: undefined, maximum: undefined, enum: undefined, env: undefined }
