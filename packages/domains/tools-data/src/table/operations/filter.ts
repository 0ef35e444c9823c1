/** Keeps rows that meet all conditions. Missing values pass only tests that do not name a value. */
import { isJsonObject } from "@planloom/plugin/effect"
import { filterOps } from "@planloom/tables"
import type { FilterOp } from "@planloom/tables"
import { refused } from "../../DataFailed.ts"
import type { Condition, Filter, Scalar } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { readPeriod } from "../Period.ts"
import { isNumeric } from "../Table.ts"
import type { Column } from "../Table.ts"
import { readChoice, readColumn, readList } from "../read.ts"
import { identifier, number, text } from "../sql.ts"

const scalar = (value: unknown): Scalar => {
  if (value === null || ["string", "number", "boolean"].includes(typeof value))
    return value as Scalar
  throw refused("a filter's value must be text, a number, true, false or null")
}

const literal = (value: Scalar, column: Column): string => {
  if (value === null) return "NULL"
  if (isNumeric(column)) {
    const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value
    if (typeof read !== "number" || Number.isNaN(read))
      throw refused(`${JSON.stringify(column.name)} holds numbers, not ${JSON.stringify(value)}`)
    return number(read)
  }
  if (column.type === "boolean") {
    const read = typeof value === "string" ? value.toLowerCase() : String(value)
    if (read !== "true" && read !== "false")
      throw refused(`${JSON.stringify(column.name)} is true or false, not ${JSON.stringify(value)}`)
    return read
  }
  return text(String(value))
}

const list = (condition: Condition): ReadonlyArray<Scalar> =>
  condition.value as ReadonlyArray<Scalar>

/** `2023`, `2023-Q2`, `2023-05` include all their days. */
const dateTest = (condition: Condition, at: string): string => {
  const span = (value: Scalar): readonly [string, string] => {
    const [start, end] = readPeriod(String(value))
    return [`TIMESTAMP ${text(start)}`, `TIMESTAMP ${text(end)}`]
  }
  const within = (value: Scalar): string => {
    const [start, end] = span(value)
    return `(${at} >= ${start} AND ${at} < ${end})`
  }
  const value = condition.value as Scalar
  switch (condition.op) {
    case "=":
      return within(value)
    case "!=":
      return `(${at} IS NULL OR NOT ${within(value)})`
    case "<":
      return `${at} < ${span(value)[0]}`
    case "<=":
      return `${at} < ${span(value)[1]}`
    case ">":
      return `${at} >= ${span(value)[1]}`
    case ">=":
      return `${at} >= ${span(value)[0]}`
    case "between":
      return `(${at} >= ${span(list(condition)[0]!)[0]} AND ${at} < ${span(list(condition)[1]!)[1]})`
    case "in":
      return `(${list(condition).map(within).join(" OR ")})`
    case "not_in":
      return `(${at} IS NULL OR NOT (${list(condition).map(within).join(" OR ")}))`
    default:
      throw refused(`${condition.op} does not work on dates`)
  }
}

const textTests: { readonly [op in FilterOp]?: (at: string, value: string) => string } = {
  contains: (at, value) => `contains(lower(${at}), lower(${value}))`,
  not_contains: (at, value) => `(${at} IS NULL OR NOT contains(lower(${at}), lower(${value})))`,
  starts_with: (at, value) => `starts_with(lower(${at}), lower(${value}))`,
  ends_with: (at, value) => `ends_with(lower(${at}), lower(${value}))`,
}

const test = (condition: Condition, column: Column): string => {
  const at = identifier(column.name)
  if (condition.op === "is_null") return `${at} IS NULL`
  if (condition.op === "is_not_null") return `${at} IS NOT NULL`
  if (condition.value === null && condition.op === "=") return `${at} IS NULL`
  if (condition.value === null && condition.op === "!=") return `${at} IS NOT NULL`
  if (column.type === "date") return dateTest(condition, at)
  const byText = textTests[condition.op]
  if (byText !== undefined)
    return byText(`CAST(${at} AS VARCHAR)`, text(String(condition.value as Scalar)))
  const one = (): string => literal(condition.value as Scalar, column)
  const many = (): string =>
    list(condition)
      .map((value) => literal(value, column))
      .join(", ")
  switch (condition.op) {
    case "!=":
      return `${at} IS DISTINCT FROM ${one()}`
    case "between":
      return `${at} BETWEEN ${literal(list(condition)[0]!, column)} AND ${literal(list(condition)[1]!, column)}`
    case "in":
      return `${at} IN (${many()})`
    case "not_in":
      return `(${at} IS NULL OR ${at} NOT IN (${many()}))`
    default:
      return `${at} ${condition.op} ${one()}`
  }
}

const decodeCondition = (raw: unknown, columns: ReadonlyArray<Column>): Condition => {
  if (!isJsonObject(raw)) throw refused("a filter must say column, op and value")
  const column = readColumn(raw["column"], columns, "filters")
  const op = readChoice(raw["op"] === "==" ? "=" : raw["op"], filterOps, "op")
  if (op === "is_null" || op === "is_not_null") return { column: column.name, op }
  if (op === "in" || op === "not_in" || op === "between") {
    const value = readList(raw["value"], `the value of ${op}`).map(scalar)
    if (value.length === 0) throw refused(`${op} needs at least one value`)
    if (op === "between" && value.length !== 2) throw refused("between needs two values")
    return { column: column.name, op, value }
  }
  if (raw["value"] === undefined) throw refused(`${op} needs a value`)
  return { column: column.name, op, value: scalar(raw["value"]) }
}

/** One test in SQL per condition. */
export const testsOf = (
  where: ReadonlyArray<Condition>,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<string> => where.map((one) => test(one, columnOf(one, columns)))

/** Decodes conditions; compiling validates that each value fits its column. */
export const decodeWhere = (
  raw: unknown,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<Condition> => {
  const where = readList(raw, "filters").map((each) => decodeCondition(each, columns))
  testsOf(where, columns)
  return where
}

const columnOf = (condition: Condition, columns: ReadonlyArray<Column>): Column =>
  readColumn(condition.column, columns, "filters")

export const filter: OperationKind<Filter> = {
  reduces: false,
  decode: (raw, columns) => ({ op: "filter", where: decodeWhere(raw["where"], columns) }),
  columns: (_, columns) => columns,
  sql: (op, columns, from) => {
    const tests = testsOf(op.where, columns)
    return `SELECT * FROM ${from}${tests.length === 0 ? "" : ` WHERE ${tests.join(" AND ")}`}`
  },
}
