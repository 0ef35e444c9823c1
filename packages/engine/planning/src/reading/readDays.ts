/** Days that an English text names, counted from today. */

/** A span of days, both inclusive, `2026-11-21`. */
export interface Days {
  readonly from: string
  readonly to: string
  /** Places of the words that name them. */
  readonly spans: ReadonlyArray<{ readonly start: number; readonly end: number }>
}

const DAY = 86_400_000

const asDay = (time: number): string => new Date(time).toISOString().slice(0, 10)
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const addDays = (day: string, count: number): string => asDay(timeOf(day) + count * DAY)

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
/** English names of the months, January first. */
export const months: ReadonlyArray<string> = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
]
const seasons: { readonly [name: string]: number } = {
  spring: 3,
  summer: 6,
  autumn: 9,
  fall: 9,
  winter: 12,
}

const named = ["today", "tonight", "tomorrow", "yesterday"]

/** Every word that names days on its own. */
export const dayWords: ReadonlyArray<string> = [
  ...named,
  ...weekdays,
  ...months,
  ...Object.keys(seasons),
]

const monthName = `(${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join("|")}|sept)\\.?`
const weekdayName = `(${weekdays.join("|")})`
const monthOf = (word: string): number =>
  months.findIndex((name) => name.startsWith(word.slice(0, 3))) + 1

/** First and last day of a month; `count` months from its first. */
const monthSpan = (year: number, month: number, count = 1): readonly [string, string] => [
  asDay(Date.UTC(year, month - 1, 1)),
  asDay(Date.UTC(year, month - 1 + count, 1) - DAY),
]

const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= Number(monthSpan(year, month)[1].slice(8))

/** Looks back for what has happened and ahead for what will. */
interface Looking {
  readonly today: string
  readonly past: boolean
}

type Read = (found: RegExpExecArray, looking: Looking) => readonly [string, string] | undefined

const yearFor = (month: number, { past, today }: Looking, day = 1): number => {
  const year = Number(today.slice(0, 4))
  const then = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
  if (past) return then.slice(0, 7) > today.slice(0, 7) ? year - 1 : year
  return then.slice(0, 7) < today.slice(0, 7) ? year + 1 : year
}

const oneDay = (
  year: number,
  month: number,
  day: number,
): readonly [string, string] | undefined => {
  if (!isDay(year, month, day)) return undefined
  const [first] = monthSpan(year, month)
  const that = addDays(first, day - 1)
  return [that, that]
}

const dayIn = (name: string, day: string, year: string | undefined, looking: Looking) => {
  const month = monthOf(name)
  return oneDay(
    year === undefined ? yearFor(month, looking, Number(day)) : Number(year),
    month,
    Number(day),
  )
}

const weekOf = (today: string, shift: number): readonly [string, string] => {
  const monday = addDays(today, -((new Date(timeOf(today)).getUTCDay() + 6) % 7) + 7 * shift)
  return [monday, addDays(monday, 6)]
}

const shiftOf = (word: string | undefined): number =>
  word === "next" || word === "coming"
    ? 1
    : word === "last" || word === "past" || word === "previous"
      ? -1
      : 0

const unit = (found: RegExpExecArray, { today }: Looking): readonly [string, string] => {
  const shift = shiftOf(found[1])
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))]
  if (found[2] === "week") return weekOf(today, shift)
  if (found[2] === "month") return monthSpan(year, month + shift)
  if (found[2] === "year") return monthSpan(year + shift, 1, 12)
  const [monday] = weekOf(today, shift)
  return [addDays(monday, 5), addDays(monday, 6)]
}

const season = (found: RegExpExecArray, looking: Looking): readonly [string, string] => {
  const month = seasons[found[2]!]!
  const { today } = looking
  const written = found[3] === undefined ? undefined : Number(found[3])
  let year = written ?? Number(today.slice(0, 4))
  // The last one is the newest that has started; in December that may be this winter.
  if (written === undefined) {
    const began = (of: number) => monthSpan(of, month)[0] <= today
    if (found[1] === "next") year = began(year) ? year + 1 : year
    else if (!began(year)) year -= 1
  }
  return monthSpan(year, month, 3)
}

const weekday = (found: RegExpExecArray, { past, today }: Looking): readonly [string, string] => {
  const wanted = weekdays.indexOf(found[2]!)
  const now = new Date(timeOf(today)).getUTCDay()
  const back = found[1] === "last" || (past && found[1] !== "next" && found[1] !== "this")
  const ahead = (wanted - now + 7) % 7
  const distance = back
    ? ahead === 0
      ? -7
      : ahead - 7
    : found[1] === "next" && ahead === 0
      ? 7
      : ahead
  const day = addDays(today, distance)
  return [day, day]
}

/** Longer wordings first: a later pattern does not see what an earlier one has read. */
const readings: ReadonlyArray<readonly [pattern: string, read: Read]> = [
  ["(\\d{4})-(\\d{2})-(\\d{2})", ([, y, m, d]) => oneDay(Number(y), Number(m), Number(d))],
  [
    `(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${monthName}(?:,? (\\d{4}))?`,
    ([, d, m, y], looking) => dayIn(m!, d!, y, looking),
  ],
  [
    `${monthName} (\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,? (\\d{4}))?`,
    ([, m, d, y], looking) => dayIn(m!, d!, y, looking),
  ],
  [
    `(${named.join("|")}|this morning|this afternoon|this evening|last night)`,
    ([, word], { today }) => {
      const shift = word === "tomorrow" ? 1 : word === "yesterday" || word === "last night" ? -1 : 0
      const day = addDays(today, shift)
      return [day, day]
    },
  ],
  [`(?:(this|last|next|the) )?(spring|summer|autumn|fall|winter)(?: (?:of )?(\\d{4}))?`, season],
  ["(?:(this|last|past|previous|next|coming|the) )(week|month|year|weekend)", unit],
  [`(?:(this|last|next) )?${weekdayName}`, weekday],
  [
    `(?:(?:in|of|from|during|last|this) )?${monthName}(?: (?:of )?(\\d{4}))?`,
    ([whole, m, y], looking) => {
      // "May I" and "march on" are no months.
      if (/^(may|mar|march)$/.test(whole) && y === undefined) return undefined
      const month = monthOf(m!)
      return monthSpan(y === undefined ? yearFor(month, looking) : Number(y), month)
    },
  ],
  ["(?:in |from |of )?((?:19|20)\\d{2})", ([, y]) => monthSpan(Number(y), 1, 12)],
]

const patterns = readings.map(
  ([pattern, read]) => [new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`), read] as const,
)

/** Words that ask about what has happened; other texts look ahead. */
const PAST = /\b(?:was|were|did|took|taken|made|had|been|\w+ed|ago|last|past|previous|since)\b/

/** Undefined for a text without a day. Two days are a span from the earlier to the later. */
export const readDays = (text: string, today: string): Days | undefined => {
  let rest = text.toLowerCase()
  // A letter whose lower case is longer would move every place behind it.
  if (rest.length !== text.length) return undefined
  const looking = { today, past: PAST.test(rest) }
  const found: Array<{ span: readonly [string, string]; start: number; end: number }> = []
  for (const [pattern, read] of patterns) {
    for (
      let match = pattern.exec(rest);
      match !== null && found.length < 2;
      match = pattern.exec(rest)
    ) {
      const span = read(match, looking)
      if (span === undefined) break
      const start = match.index
      const end = start + match[0].length
      found.push({ span, start, end })
      rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end)
    }
  }
  const [first] = found.toSorted((left, right) => left.start - right.start)
  if (first === undefined) return undefined
  // "between" belongs to two days.
  const before = /\b(?:between|from)\s+$/.exec(text.slice(0, first.start).toLowerCase())
  if (found.length === 2 && before !== null) first.start = before.index
  return {
    from: found.map(({ span }) => span[0]).toSorted()[0]!,
    to: found
      .map(({ span }) => span[1])
      .toSorted()
      .at(-1)!,
    spans: found.map(({ end, start }) => ({ start, end })),
  }
}
