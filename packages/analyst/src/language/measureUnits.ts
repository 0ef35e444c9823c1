/** Units of measure, as words after a number and as parts of a column's name. */
import { partsOf } from "./tokens.ts"

const names: ReadonlyArray<ReadonlyArray<string>> = [
  "g gram grams",
  "kg kilo kilos kilogram kilograms",
  "lb lbs pound pounds",
  "oz ounce ounces",
  "mm millimeter millimeters millimetre millimetres",
  "cm centimeter centimeters centimetre centimetres",
  "m meter meters metre metres",
  "km kilometer kilometers kilometre kilometres",
  "mi mile miles",
  "ft foot feet",
  "inch inches",
  "usd dollar dollars",
  "eur euro euros",
  "gbp",
  "chf",
  "pct percent",
  "c celsius",
  "f fahrenheit",
  "degree degrees",
  "s sec secs second seconds",
  "ms",
  "min mins minute minutes",
  "h hr hrs hour hours",
  "day days",
  "year years",
  "kmh",
  "mph",
  "kwh",
  "mw",
  "l liter liters litre litres",
  "ml",
  "gal gallon gallons",
].map((line) => line.split(" "))

/** The short name of a unit. */
export const unitOf = (word: string): string | undefined =>
  names.find((one) => one.includes(word))?.[0]

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
