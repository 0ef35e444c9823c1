/** Reads cyclic times: "by weekday", "month of the year". No tool groups by them, so they are reported as missing. */
import { words } from "./PhraseBook.ts"
import type { Reading } from "./Reading.ts"

const cycles = words(
  "weekday",
  "week day",
  "day of the week",
  "day of week",
  "month of the year",
  "month of year",
  "week of the year",
  "quarter of the year",
  "day of the month",
  "day of the year",
  "hour of the day",
  "hour of day",
  "time of day",
  "time of the day",
  "seasonality",
  "seasonal pattern",
  "seasonal",
)

export const readCycles = (reading: Reading): void => {
  for (let at = 0; at < reading.tokens.length; at++) {
    const match = reading.phrase(at, cycles)
    if (match === undefined || (reading.mention(at)?.quality ?? 0) >= 0.9) continue
    const end = at + match.length
    const said = reading.textOf(at, end)
    reading.lacks(
      at,
      end,
      `"${said}" combines times from different periods. I can group by hour, day, week, month, quarter or year: which of them?`,
      ["hour", "day", "week", "month", "quarter", "year"],
    )
  }
}
