/** The shape that an argument's schema accepts: one name, a list of names, one of several choices. */
import { isObject } from "@planloom/planning"
import type { Json } from "@planloom/plugin/effect"

export type Schema = { readonly [keyword: string]: unknown }

/** Whether a list fits: as the type, as one of the types, or in one of the alternatives. */
export const takesList = ({ type, anyOf }: Schema): boolean =>
  type === "array" ||
  (Array.isArray(type) && type.includes("array")) ||
  (Array.isArray(anyOf) && anyOf.some((one) => isObject(one) && takesList(one)))

const takesOne = ({ type, anyOf }: Schema): boolean =>
  type === undefined
    ? !Array.isArray(anyOf) || anyOf.some((one) => isObject(one) && takesOne(one))
    : type !== "array"

/** Names in the shape that the schema accepts: a single name if that is allowed. */
export const shaped = (names: ReadonlyArray<string>, schema: Schema): Json | undefined =>
  takesList(schema) && !(names.length === 1 && takesOne(schema)) ? names : names[0]

/** One of the choices the schema allows, or the first name where it allows all. */
export const choose = (schema: Schema, names: ReadonlyArray<string>): string | undefined => {
  const items = takesList(schema) && isObject(schema.items) ? schema.items : schema
  const choices = Array.isArray(items.enum) ? items.enum.map(String) : undefined
  return choices === undefined ? names[0] : choices.find((choice) => names.includes(choice))
}
