/** Reads units of time: recurring ones ("by weekday", "on Mondays"), intervals ("monthly"), numbers of them ("next 6 months"). */
import type { TimePart } from "../../requirements/Requirements.ts"
import { reader, type Found } from "../Form.ts"
import { phraseAt } from "../vocabulary/PhraseBook.ts"
import type { Reading } from "../Reading.ts"
import { setGrain } from "../setGrain.ts"

/** The column of a recurring part of the date; adds it to the requirements. */
const columnFor = (reading: Reading, part: TimePart): string | undefined => {
  const date = reading.dateColumn()
  if (date === undefined) return undefined
  const names = new Set(reading.profile.columns.map(({ name }) => name.toLowerCase()))
  const as = names.has(part) ? `${date.name} ${part}` : part
  const known = reading.constraints.some((one) => one.kind === "time_part" && one.as === as)
  if (!known) reading.constraints.push({ kind: "time_part", column: date.name, part, as })
  return as
}

const isNamed = (reading: Reading, at: number): boolean => {
  const mention = reading.mention(at)
  return mention !== undefined && (mention.quality >= 0.9 || mention.value !== undefined)
}

/** "on Mondays", "not at weekends": one condition for all days that are named. */
const readDay = (found: Found, reading: Reading): boolean => {
  const day = found.first("DAY")
  const as =
    day === undefined || isNamed(reading, day.start) ? undefined : columnFor(reading, "weekday")
  if (day === undefined || as === undefined) return false
  const value = day.of === "weekend" ? ["Saturday", "Sunday"] : [day.of]
  const known = reading.constraints.find((one) => one.kind === "filter" && one.column === as)
  if (known !== undefined) reading.constraints.splice(reading.constraints.indexOf(known), 1)
  const days = (known?.kind === "filter" ? [known.value, value].flat(2) : value) as Array<string>
  const op = found.first("NOT") === undefined ? "in" : "not_in"
  reading.constraints.push({ kind: "filter", column: as, op, value: days })
  reading.claim([`filter:${as}`, `time_part:${as}`], found.start, found.end)
  return true
}

/** Hours of a long time are of the day; those of a day or two stand one after another. */
const MIN_SPAN_MS = 3 * 86_400_000
const isOfDay = (reading: Reading, found: Found): boolean => {
  const { max, min } = reading.dateColumn() ?? {}
  const [item] = found.all("CYCLE")
  const isLong = Date.parse(String(max)) - Date.parse(String(min)) > MIN_SPAN_MS
  const isBare = item !== undefined && item.end - item.start === 1
  return (
    reading.tokens[item?.start ?? 0]?.word !== "hours" &&
    /\d{2}:\d{2}/.test(String(max)) &&
    (!isBare || isLong)
  )
}

const readCycle = (found: Found, reading: Reading): boolean => {
  const item = found.first("CYCLE") ?? found.first("HABIT")
  if (item === undefined || isNamed(reading, item.start)) return false
  if (found.of("COLUMN")?.columns.some(({ type }) => type !== "date") === true) return false
  if (item.of === "hour" && !isOfDay(reading, found)) return false
  const isSingular = reading.tokens[item.start]?.word === reading.stem(item.start)
  if (item.category === "HABIT" && !isSingular) return false
  const as = columnFor(reading, item.of as TimePart)
  if (as === undefined) return false
  reading.groupBy.add(as)
  const end = item.end
  reading.claim([`group_by:${as}`, `time_part:${as}`], found.start, end)
  return true
}

export const readCycles = reader([
  ["NOT? ON? DAY", readDay],
  ["ON_EACH? COLUMN? CYCLE | (which | what) HABIT DOES", readCycle],
  [
    "UNSERVED",
    ({ end, start }, reading) =>
      reading.lacks(start, end, `I cannot group by "${reading.textOf(start, end)}".`),
  ],
])

const asks = ({ lexicon, tokens }: Reading, label: string): boolean =>
  tokens.some((_, at) => phraseAt(tokens, at, lexicon.analysis)?.label === label)

/** "the next 6 months", "next year"; of "monthly … next year" the length is open. */
const readHorizon = (found: Found, reading: Reading): boolean => {
  const [unit, n] = [found.first("GRAIN"), found.of("NUMBER") ?? 1]
  if (unit === undefined || !isCount(n) || !asks(reading, "forecast")) return false
  const isDivided = reading.tokens.some(
    (_, at) => at !== unit.start && reading.phrase(at, reading.lexicon.grains) !== undefined,
  )
  if (isDivided) return false
  setGrain(reading, unit.of, unit)
  reading.claim("horizon", found.start, found.end)
  reading.constraints.push({ kind: "horizon", n })
  return true
}

const isCount = (n: number): boolean => Number.isInteger(n) && n > 0 && n <= 1000

const readWindow = (found: Found, reading: Reading): boolean => {
  const [unit, n] = [found.first("GRAIN"), found.of("NUMBER") ?? 0]
  if (unit === undefined || !isCount(n) || n < 2 || !asks(reading, "moving_average")) return false
  setGrain(reading, unit.of, unit)
  reading.claim("window", found.start, found.end)
  reading.constraints.push({ kind: "window", n })
  return true
}

export const readPoints = reader([
  ["AHEAD (NUMBER -?)? GRAIN", readHorizon],
  ["OVER? NUMBER -? GRAIN window?", readWindow],
])

/** "monthly", "year by year", "over the years": intervals without a "by". */
export const readGrains = reader([
  [
    "GRAIN",
    (found, reading) => {
      const { end, start } = found
      if (reading.mention(start)?.quality === 1) return false
      const { stem, word } = reading.tokens[start] ?? { word: "", stem: "" }
      if (end === start + 1 && word !== stem) {
        // "days with wind above 8" refers to rows.
        reading.claim("rows", start)
        return true
      }
      const trend = reading.phrase(start, reading.lexicon.analysis)
      if (trend?.label === "trend" || trend?.label === "compare") {
        reading.analysis.add(trend.label)
        reading.claim(`analysis:${trend.label}`, start, start + trend.length)
      }
      setGrain(reading, found.of("GRAIN") ?? "unknown", found)
      return true
    },
  ],
])
