/** Values of params as text of a URL, header or cookie (OpenAPI 3, Style Values). */
import type { Json } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { refused } from "../HttpFailed.ts"
import { encode } from "./encode.ts"
import type { Parameter } from "./Endpoint.ts"

type Pair = readonly [name: string, value: string]

/** Keeps the reserved characters that a query may hold, except those that end it or a parameter. */
const encodeReserved = (text: string): string =>
  encode(text).replace(/%(3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2C|3B)/g, (found) =>
    decodeURIComponent(found),
  )

const plain = (text: string): string => text

export const textOf = (value: Json): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value)

const listOf = (value: ReadonlyArray<Json>, write: (text: string) => string) =>
  value.map((item) => write(textOf(item)))

const entriesOf = (value: object, write: (text: string) => string): ReadonlyArray<Pair> =>
  Object.entries(value).map(([key, inner]) => [write(key), write(textOf(inner as Json))])

/** A path segment; `name` matters for the style `matrix`. */
export const pathText = (name: string, value: Json, parameter: Partial<Parameter>): string => {
  const { explode = false, json = false, style = "simple" } = parameter
  const start = { label: ".", matrix: `;${encode(name)}=` }[style as string] ?? ""
  if (json || typeof value !== "object" || value === null) {
    return `${start}${encode(json ? JSON.stringify(value) : textOf(value))}`
  }
  const isList = Array.isArray(value)
  const parts = isList
    ? listOf(value as ReadonlyArray<Json>, encode)
    : entriesOf(value, encode).flatMap(([key, inner]) =>
        explode ? [`${key}=${inner}`] : [key, inner],
      )
  if (style === "matrix" && explode) {
    return parts.map((part) => (isList ? `;${encode(name)}=${part}` : `;${part}`)).join("")
  }
  return `${start}${parts.join(style === "label" && explode ? "." : ",")}`
}

/** A header's value; without line ends and other characters that headers cannot carry. */
export const headerText = (name: string, value: Json, parameter: Partial<Parameter>): string => {
  const { explode = false, json = false } = parameter
  const text =
    json || typeof value !== "object" || value === null
      ? json
        ? JSON.stringify(value)
        : textOf(value)
      : Array.isArray(value)
        ? listOf(value as ReadonlyArray<Json>, plain).join(",")
        : entriesOf(value, plain)
            .flatMap(([key, inner]) => (explode ? [`${key}=${inner}`] : [key, inner]))
            .join(",")
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
    throw refused(
      `the header "${name}" cannot carry this value: it has line ends, or characters outside Latin-1`,
    )
  }
  return text.trim()
}

/** Query parameters, encoded. */
export const queryPairs = (
  name: string,
  value: Json,
  parameter: Partial<Parameter>,
): ReadonlyArray<Pair> => {
  const { json = false, reserved = false, style = "form" } = parameter
  const { explode = style === "form" } = parameter
  const write = reserved ? encodeReserved : encode
  const key = encode(name)
  if (json || typeof value !== "object" || value === null) {
    return [[key, write(json ? JSON.stringify(value) : textOf(value))]]
  }
  if (style === "deepObject" && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([inner, one]) =>
      (Array.isArray(one) ? (one as ReadonlyArray<Json>) : [one as Json]).map((item): Pair => [
        encode(`${name}[${inner}]`),
        write(textOf(item)),
      ]),
    )
  }
  const separator = { spaceDelimited: "%20", pipeDelimited: "%7C" }[style as string] ?? ","
  if (Array.isArray(value)) {
    const items = listOf(value as ReadonlyArray<Json>, write)
    return explode
      ? items.map((item): Pair => [key, item])
      : items.length === 0
        ? []
        : [[key, items.join(separator)]]
  }
  const entries = entriesOf(value, write)
  return explode ? entries : entries.length === 0 ? [] : [[key, entries.flat().join(separator)]]
}

/** A body of the type `application/x-www-form-urlencoded`. */
export const formText = (fields: Json): string => {
  if (!isObject(fields as never)) throw refused("a form is an object")
  return Object.entries(fields as object)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? (value as ReadonlyArray<Json>) : [value as Json]).map(
        (item) => `${encode(name)}=${encode(textOf(item))}`,
      ),
    )
    .join("&")
}
