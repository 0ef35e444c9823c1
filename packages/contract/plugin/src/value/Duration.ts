/** Parses and formats durations of workflows, configs and the command line: `500ms`, `30s`, `1h30m`, `1.5h`, `3d`, `8w`. */

/** Milliseconds per unit, largest first. A day is always 24 hours, regardless of daylight saving time. */
const units = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const
const names = Object.keys(units) as ReadonlyArray<keyof typeof units>

/** `1h30m`: whole amounts, each unit at most once, largest first; one alternative for each first unit, so that nothing matches the empty text. */
const compound = names.map((first, index) => {
  const rest = names.slice(index + 1).map((unit) => `(\\d+${unit})?`)
  return `\\d+${first}${rest.join("")}`
})

/** Pattern of a duration, for JSON Schemas and editors. */
export const durationPattern = `^(\\d+\\.\\d+(${names.join("|")})|${compound.join("|")})$`
const whole = new RegExp(durationPattern)

/** Milliseconds, rounded to a whole number; undefined unless the text is a duration. */
export const parseDuration = (text: string): number | undefined => {
  if (!whole.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(/([\d.]+)(ms|[wdhms])/g)) {
    total += Number(amount) * units[unit as keyof typeof units]
  }
  const milliseconds = Math.round(total)
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined
}

/** Formats milliseconds, without weeks; the inverse of `parseDuration`. */
export const formatDuration = (milliseconds: number): string => {
  let rest = Math.max(0, Math.round(milliseconds))
  if (rest === 0) return "0s"
  let text = ""
  for (const unit of names.slice(1)) {
    const amount = Math.floor(rest / units[unit])
    if (amount > 0) text += `${amount}${unit}`
    rest -= amount * units[unit]
  }
  return text
}
