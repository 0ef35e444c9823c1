/** Formats values for display. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { isNumeric, type Column } from "../table/Table.ts"

/** Columns of identifiers, whose numbers get no thousands separators: 2023, not 2,023. */
const names = /(^|[_ ])(id|year|zip|code|no|number|key)$/i

/** Made with the first number: the first formatter of a process takes 20 ms. */
const formatter = (options: Intl.NumberFormatOptions): (() => Intl.NumberFormat) => {
  let made: Intl.NumberFormat | undefined
  return () => (made ??= new Intl.NumberFormat("en-US", options))
}

const grouped = [0, 1, 2].map((digits) =>
  formatter({ minimumFractionDigits: digits, maximumFractionDigits: digits }),
)
const small = formatter({ maximumSignificantDigits: 4 })

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

const date = (value: string, column: Column): string => {
  const [year, month] = [value.slice(0, 4), Number(value.slice(5, 7))]
  if (column.grain === "year") return year
  if (column.grain === "quarter") return `Q${Math.ceil(month / 3)} ${year}`
  if (column.grain === "month") return `${months[month - 1]} ${year}`
  return value.replace("T", " ")
}

export const MISSING = "–"

/** Number of decimals for a column, at most two, so that decimal points align. */
export const decimalsOf = (rows: ReadonlyArray<JsonObject>, column: Column): number => {
  if (!isNumeric(column)) return 0
  const digits = rows.map(({ [column.name]: value }) =>
    typeof value === "number"
      ? (/\.(\d+)/.exec(value.toFixed(2).replace(/0+$/, ""))?.[1]?.length ?? 0)
      : 0,
  )
  return Math.max(0, ...digits)
}

export const formatValue = (value: Json | undefined, column: Column, decimals = 2): string => {
  if (value === null || value === undefined) return MISSING
  if (typeof value === "number" && isNumeric(column)) {
    if (names.test(column.name)) return String(value)
    return value !== 0 && Math.abs(value) < 0.1
      ? small().format(value)
      : grouped[decimals]!().format(value)
  }
  if (column.type === "date" && /^\d{4}-\d{2}-\d{2}/.test(String(value)))
    return date(String(value), column)
  if (typeof value === "boolean") return value ? "yes" : "no"
  return typeof value === "string" ? value : JSON.stringify(value)
}
