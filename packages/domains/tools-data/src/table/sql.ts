/** The only module that turns names and values into SQL text. */
import { refused } from "../DataFailed.ts"

/** Quotes an identifier; inner quotes are doubled, no other character is special. */
export const identifier = (name: string): string => {
  if (name === "") throw refused("a column without a name cannot be used")
  if (name.includes("\0")) throw refused("a column name must not contain a zero character")
  return `"${name.replaceAll('"', '""')}"`
}

/** A string literal. The doubled quote is the only escape; a zero byte would end the SQL text. */
export const text = (value: string): string => {
  const parts = value.split("\0").map((part) => `'${part.replaceAll("'", "''")}'`)
  return parts.length === 1 ? parts[0]! : `(${parts.join(" || chr(0) || ")})`
}

/** A number literal that reads back as the same double. */
export const number = (value: number): string => {
  if (!Number.isFinite(value)) throw refused(`${value} is not a number a table can hold`)
  return Number.isSafeInteger(value) && !Object.is(value, -0)
    ? String(value)
    : `CAST('${value}' AS DOUBLE)`
}

/** Quoted column list for `SELECT`. */
export const identifiers = (names: ReadonlyArray<string>): string =>
  names.map(identifier).join(", ")
