/** The day of a moment in this machine's zone. */

/** Epoch milliseconds → YYYY-MM-DD. */
export const localDay = (moment: number): string => {
  const date = new Date(moment)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part) => String(part).padStart(2, "0")).join("-")
}
