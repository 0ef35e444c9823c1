/** Decoders for fields of operations: every field is validated before it can become SQL. */
import { refused } from "../DataFailed.ts"
import { isNumeric, type Column } from "./Table.ts"

export type Raw = { readonly [key: string]: unknown }

export const readText = (value: unknown, what: string): string => {
  if (typeof value !== "string") throw refused(`${what} must be text`)
  return value
}

export const readList = (value: unknown, what: string): ReadonlyArray<unknown> => {
  if (!Array.isArray(value)) throw refused(`${what} must be a list`)
  return value
}

export const readChoice = <A extends string>(
  value: unknown,
  choices: ReadonlyArray<A>,
  what: string,
): A => {
  const found = choices.find((choice) => choice === value)
  if (found === undefined)
    throw refused(`${what} must be one of ${choices.join(", ")}, not ${JSON.stringify(value)}`)
  return found
}

export const readWhole = (value: unknown, what: string, min: number, max: number): number => {
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max)
    throw refused(`${what} must be a whole number from ${min} to ${max}`)
  return value
}

/** Levenshtein distance, for "did you mean" on short names. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(
        row[j]! + 1,
        next[j - 1]! + 1,
        row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
    row = next
  }
  return row[b.length]!
}

const nearest = (name: string, columns: ReadonlyArray<Column>): string | undefined => {
  const wanted = name.toLowerCase()
  const ranked = columns
    .map((column) => ({
      column,
      far: distance(wanted.slice(0, 64), column.name.toLowerCase().slice(0, 64)),
    }))
    .toSorted((a, b) => a.far - b.far)
  const best = ranked[0]
  return best !== undefined && best.far <= Math.max(1, wanted.length / 3)
    ? best.column.name
    : undefined
}

/** Finds a column by name; the failure lists the available ones. */
export const readColumn = (
  value: unknown,
  columns: ReadonlyArray<Column>,
  what: string,
): Column => {
  const name = readText(value, what)
  const found = columns.find((column) => column.name === name)
  if (found !== undefined) return found
  const near = nearest(name, columns)
  const names = columns.map((column) => column.name)
  throw refused(
    `the table has no column ${JSON.stringify(name)}${near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`} It has: ${names.slice(0, 30).join(", ")}${names.length > 30 ? ", …" : ""}`,
    { unknown_column: name, columns: names, ...(near === undefined ? {} : { nearest: near }) },
  )
}

/** Columns by name, each once. */
export const readColumns = (
  value: unknown,
  columns: ReadonlyArray<Column>,
  what: string,
): ReadonlyArray<Column> => [
  ...new Set(readList(value, what).map((name) => readColumn(name, columns, what))),
]

/** A unique column name; names are compared without case, as in the engine. */
export const freeName = (wanted: string, taken: ReadonlyArray<string>): string => {
  const lower = new Set(taken.map((name) => name.toLowerCase()))
  for (let n = 2, name = wanted; ; n++) {
    if (!lower.has(name.toLowerCase())) return name
    name = `${wanted}_${n}`
  }
}

/** Rejects a column without numbers; `needs` begins the message: `a forecast needs numbers`. */
export const requireNumber = (
  column: Column,
  needs: string,
  details: { readonly [name: string]: string } = {},
): void => {
  if (isNumeric(column)) return
  const { name, type } = column
  throw refused(`${needs}, but ${JSON.stringify(name)} holds ${type}s`, {
    column: name,
    type,
    ...details,
  })
}

/** Names of one or more columns of numbers; `subject` begins the message: `a share`. */
export const readNumbers = (
  value: unknown,
  columns: ReadonlyArray<Column>,
  what: string,
  subject: string,
): ReadonlyArray<string> => {
  const chosen = readColumns(value, columns, what)
  if (chosen.length === 0) throw refused(`${subject} needs a column of numbers`)
  for (const column of chosen) requireNumber(column, `${subject} needs numbers`)
  return chosen.map(({ name }) => name)
}
