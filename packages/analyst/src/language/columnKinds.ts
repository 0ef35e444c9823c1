/** What a column can do in a question: divide the rows, be measured, or only number them. */
import type { Column } from "@planloom/tables"

/** Numeric times such as years, which cannot be summed. */
const isTimeNumber = ({ name, type }: Column): boolean =>
  type === "integer" && /(^|[^a-z])(year|yr|month|quarter|week|day|decade)([^a-z]|$)/i.test(name)

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

export const isMeasurable = (column: Column): boolean =>
  (column.type === "number" || column.type === "integer") && !isTimeNumber(column)
