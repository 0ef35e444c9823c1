/** Durations as they are written: `500ms`, `30s`, `5m`, `1h30m`, `3d`; and ages: `90m`, `12h`, `30d`, `8w`. */

/** A day is 24 hours, whatever the clocks do. */
const units: { readonly [unit: string]: number } = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
}

/** The one pattern of a duration, also for editors. */
export const durationPattern =
  "^(\\d+d(\\d+h)?(\\d+m)?(\\d+s)?(\\d+ms)?|\\d+h(\\d+m)?(\\d+s)?(\\d+ms)?|\\d+m(\\d+s)?(\\d+ms)?|\\d+s(\\d+ms)?|\\d+ms)$"
const whole = new RegExp(durationPattern)

/** Milliseconds, or undefined when the text is no duration. Each unit at most once, largest first. */
export const parseDuration = (text: string): number | undefined => {
  if (!whole.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+)(ms|d|h|m|s)/g)) {
    total += Number(amount) * units[unit!]!
  }
  return Number.isSafeInteger(total) ? total : undefined
}

const ageUnits = { m: units["m"]!, h: units["h"]!, d: units["d"]!, w: 7 * units["d"]! }

/** How long ago, or how long to keep something: one number and one unit. Milliseconds, or undefined. */
export const parseAge = (text: string): number | undefined => {
  const [, amount, unit] = /^(\d+)([mhdw])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * ageUnits[unit as keyof typeof ageUnits]
}

/** Milliseconds as a person writes them; the inverse of `parseDuration`. */
export const formatDuration = (milliseconds: number): string => {
  let rest = Math.max(0, Math.round(milliseconds))
  if (rest === 0) return "0s"
  let text = ""
  for (const [unit, size] of Object.entries(units)) {
    const amount = Math.floor(rest / size)
    if (amount > 0) text += `${amount}${unit}`
    rest -= amount * size
  }
  return text
}
