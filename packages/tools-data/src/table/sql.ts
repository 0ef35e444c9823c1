/** The only place where names and values become SQL text. */
import { refused } from "../DataFailed.ts"

/** A quoted identifier. Quoting is by doubling; nothing else is special inside the quotes. */
export const identifier = (name: string): string => {
  if (name === "") throw refused("a column without a name cannot be used")
  if (name.includes("\0")) throw refused("a column name must not contain a zero character")
  return `"${name.replaceAll('"', '""')}"`
}

/** A string literal. Standard strings know no escape but the doubled quote; zero bytes end the SQL text. */
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

/** `SELECT`'s list of these columns, quoted. */
export const identifiers = (names: ReadonlyArray<string>): string =>
  names.map(identifier).join(", ")
