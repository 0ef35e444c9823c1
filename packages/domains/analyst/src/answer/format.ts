/** Formats cells of a table and changes between them. */
import type { Json } from "@planloom/plugin/effect"
import { formatValue } from "@planloom/stage-kit"

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

/** A cell as text; a missing one reads `(missing)`. */
export const formatCell = (value: Json | undefined, grain?: string): string =>
  typeof value === "string" ? formatDate(value, grain) : formatValue(value)
