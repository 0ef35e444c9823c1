/** Numbers and dates as an English reader expects them, the same on every machine. */
import type { Json } from "@planloom/plugin"

const plain = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 })
const large = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const small = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 })

/**
 * Two decimals at most; below one, three significant digits. From a thousand on a fraction has both its
 * decimals, as in the tables beside it.
 */
export const formatNumber = (value: number): string => {
  const size = Math.abs(value)
  if (size < 1 && value !== 0) return small.format(value)
  const whole = Number.isInteger(Math.round(value * 100) / 100)
  return size >= 1000 && !whole ? large.format(value) : plain.format(value)
}

/** `+12.5 %`; undefined where there is no base to compare with. */
export const formatChange = (from: number, to: number): string | undefined => {
  if (from === 0 || !Number.isFinite(from) || !Number.isFinite(to)) return undefined
  const change = ((to - from) / Math.abs(from)) * 100
  const text = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 }).format(Math.abs(change))
  return `${change < 0 ? "−" : "+"}${text} %`
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** `May 2023` for a month, `Q2 2023`, `2023`, `week of 2023-05-15`, else the day. */
const formatDate = (value: string, grain: string | undefined): string => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})/.exec(value)
  if (parts === null) return value
  const [day, year, month] = parts
  if (grain === "year") return String(year)
  if (grain === "quarter") return `Q${Math.ceil(Number(month) / 3)} ${year}`
  if (grain === "month") return `${months[Number(month) - 1]} ${year}`
  return grain === "week" ? `week of ${day}` : String(day)
}

/** A cell as text; what is missing is said to be. */
export const formatCell = (value: Json | undefined, grain?: string): string => {
  if (value === null || value === undefined) return "(missing)"
  if (typeof value === "number") return formatNumber(value)
  return typeof value === "string" ? formatDate(value, grain) : String(value)
}
