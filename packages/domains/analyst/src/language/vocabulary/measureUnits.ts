/** Units of measure, as words after a number and as parts of a column's name. */
import { partsOf, singular } from "../tokens.ts"

/** The short name of each unit, and its other names in the singular. */
const names = (
  "g gram, kg kilo kilogram, lb lbs pound, oz ounce, mm millimeter millimetre, cm centimeter centimetre, " +
  "m meter metre, km kilometer kilometre, mi mile, ft foot feet, inch, usd dollar, eur euro, gbp, chf, " +
  "pct percent, c celsius, f fahrenheit, degree, s sec second, ms, min minute, h hr hrs hour, day, year, " +
  "kmh, mph, kwh, mw, l liter litre, ml, gal gallon"
)
  .split(", ")
  .map((line) => line.split(" "))

/** The short name of a unit. */
export const unitOf = (word: string): string | undefined =>
  names.find((one) => one.includes(singular(word)))?.[0]

/** Whether a column's name has this unit. */
export const hasUnit = (column: string, unit: string | undefined): boolean =>
  unit !== undefined && partsOf(column).some((part) => unitOf(part) === unit)

/** Whether a column may hold numbers of this unit: its name has the unit, or none. */
export const sameUnit = (unit: string, column: string): boolean => {
  const parts = partsOf(column)
  const [, ...rest] = parts.length > 1 ? parts : ["", ...parts]
  const own = rest.flatMap((part) => unitOf(part) ?? [])
  return own.length === 0 || own.includes(unit)
}
