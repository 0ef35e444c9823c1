/** What a column can do in a question: divide the rows, be measured, or only number them. */
import type { Column, DataProfile } from "@planloom/tables"

/** Numeric times such as years, which cannot be summed. */
const isTimeNumber = ({ name, type }: Column): boolean =>
  (type === "number" && /^(year|yr)$/i.test(name)) ||
  (type === "integer" && /(^|[^a-z])(year|yr|month|quarter|week|day|decade)([^a-z]|$)/i.test(name))

/** A column of year numbers, for tables without dates. */
export const yearColumnOf = ({ columns }: DataProfile): Column | undefined => {
  const isYear = (value: unknown) => /^\s*\d{4}\s*$/.test(String(value))
  return columns.find(
    ({ distinct = [], name, type }) =>
      /(^|[^a-z])(year|yr)([^a-z]|$)/i.test(name) &&
      (type === "integer" || type === "number" || distinct.filter(isYear).length > 1),
  )
}

/** Pairs of values that mean yes and no. */
const answers = ["yes no", "y n", "true false", "t f", "1 0", "pass fail"].map((pair) =>
  pair.split(" "),
)
/** Beside more values "NO" is a code. */
const MAX_KINDS = 12
const absent = new Set(["no", "none", "not any", "nothing"])

/** What yes and no are in this column; without a yes where `no` stands beside several values. */
export const flagOf = ({
  distinct,
  type,
}: Column): { readonly yes?: string | number; readonly no: string | number } | undefined => {
  const values = (distinct ?? []).filter((value) => value !== null)
  if (type === "boolean") return { yes: "true", no: "false" }
  if (type === "integer")
    return values.length === 2 && values.includes(0) && values.includes(1)
      ? { yes: 1, no: 0 }
      : undefined
  if (type !== "string") return undefined
  const texts = values.map(String)
  const lower = texts.map((text) => text.toLowerCase())
  // "unknown" may stand beside the two.
  const pair = answers.find((one) => texts.length < 4 && one.every((word) => lower.includes(word)))
  const valueOf = (word: string | undefined) => texts.find((text) => text.toLowerCase() === word)
  const [yes, no] = pair === undefined ? [] : [valueOf(pair[0]), valueOf(pair[1])]
  if (yes !== undefined && no !== undefined) return { yes, no }
  const none = texts.filter((text) => absent.has(text.toLowerCase()))
  return texts.length > 1 && texts.length <= MAX_KINDS && none.length === 1 && none[0] !== undefined
    ? { no: none[0] }
    : undefined
}

/** Columns that group rows rather than measure them. */
export const isGroupable = (column: Column): boolean =>
  column.type === "string" ||
  column.type === "boolean" ||
  column.type === "date" ||
  isTimeNumber(column) ||
  (column.type === "integer" && (column.distinct?.length ?? Infinity) <= 24)

/** Consecutive integers, as many as rows: row numbers. */
export const isRowNumber = ({ max, min, nulls, type }: Column, rows: number): boolean =>
  type === "integer" && nulls === undefined && rows > 1 && Number(max) - Number(min) + 1 === rows

/** Whether a column's name marks an identifier of rows. */
export const isIdentifierName = (name: string): boolean =>
  /(^|[^a-z])(id|ids|key|no|nr|uuid|guid|index|code|zip|phone)$/i.test(name) ||
  /[a-z]I[Dd]s?$/.test(name) ||
  /^(column0*\d*|unnamed.*)$/i.test(name)

/** Row numbers and identifiers: known from the values, or by the name. Their sums mean nothing. */
export const identifiesRows = (column: Column, rows: number): boolean =>
  isRowNumber(column, rows) || (column.type === "integer" && isIdentifierName(column.name))

/** Numbers that mean an amount: no years, and no identifiers, whose sums mean nothing. */
export const isMeasurable = (column: Column): boolean =>
  !isTimeNumber(column) &&
  (column.type === "number" || (column.type === "integer" && !isIdentifierName(column.name)))
