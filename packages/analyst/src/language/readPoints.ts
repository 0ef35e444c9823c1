/** Reads numbers of intervals: the window of a moving average, the horizon of a forecast. */
import type { AskedGrain } from "../requirements/Requirements.ts"
import { phraseAt, words } from "./PhraseBook.ts"
import type { Reading } from "./Reading.ts"
import { grainAt, setGrain } from "./readGrains.ts"

const ahead = words(
  "next, the next, for the next, over the next, coming, the coming, for the coming, " +
    "following, upcoming",
)
const about = words("over, of, over the last, across, with a, for, a, using")
const window = words("window")

const asks = ({ tokens, lexicon }: Reading, label: string): boolean =>
  tokens.some((_, at) => phraseAt(tokens, at, lexicon.analysis)?.label === label)

/** "7 days", "3-month", "12 months": a number of intervals; returns its end. */
const stretchAt = (reading: Reading, at: number) => {
  const n = reading.tokens[at]?.value
  const place = reading.stem(at + 1) === "-" ? at + 2 : at + 1
  const grain = grainAt(reading, place)
  const whole = n !== undefined && Number.isInteger(n) && n > 0 && n <= 1000
  return whole && grain !== undefined && !reading.isTaken(at)
    ? { n, grain: grain.grain, place, end: place + grain.length }
    : undefined
}

/** Number of shorter intervals in a longer one. */
const parts: { readonly [unit: string]: { readonly [grain in AskedGrain]?: number } } = {
  year: { year: 1, quarter: 4, month: 12, week: 52, day: 365 },
  quarter: { quarter: 1, month: 3, week: 13, day: 91 },
  month: { month: 1, week: 4, day: 30 },
  week: { week: 1, day: 7 },
  day: { day: 1, hour: 24 },
}

/** "next year": in the interval the question names elsewhere, else in months, or as one of itself. */
const unitAt = (reading: Reading, at: number) => {
  const unit = grainAt(reading, at)
  if (unit === undefined || reading.phraseBefore(at, ahead) === undefined) return undefined
  const own = parts[unit.grain] ?? {}
  const named = reading.tokens.flatMap((_, place) =>
    place === at ? [] : (grainAt(reading, place)?.grain ?? []),
  )
  const usual = unit.grain === "year" ? "month" : unit.grain
  const grain = named.find((one) => own[one] !== undefined) ?? usual
  const n = own[grain]
  return n === undefined ? undefined : { n, grain, place: at, end: at + unit.length }
}

export const readPoints = (reading: Reading): void => {
  const smooths = asks(reading, "moving_average")
  const foresees = asks(reading, "forecast")
  if (!smooths && !foresees) return
  for (let at = 0; at < reading.tokens.length; at++) {
    const found = stretchAt(reading, at) ?? (foresees ? unitAt(reading, at) : undefined)
    if (found === undefined) continue
    const next = reading.phraseBefore(at, ahead)
    const led = next ?? (smooths ? reading.phraseBefore(at, about) : undefined)
    if (next === undefined ? !smooths || found.n < 2 : !foresees) continue
    const trailing = reading.phrase(found.end, window)?.length ?? 0
    setGrain(reading, found.grain, found.place, found.end)
    const kind = next === undefined ? "window" : "horizon"
    reading.claim(kind, led?.start ?? at, found.end + trailing)
    reading.constraints.push({ kind, n: found.n })
    at = found.end - 1
  }
}
