/** Formats numbers and plain values for English readers, independent of the machine's locale. */
import type { Json } from "@planloom/plugin/effect"

/** Made with the first number: the first formatter of a process takes 20 ms. */
const formatter = (options: Intl.NumberFormatOptions): (() => Intl.NumberFormat) => {
  let made: Intl.NumberFormat | undefined
  return () => (made ??= new Intl.NumberFormat("en-US", options))
}

const plain = formatter({ maximumFractionDigits: 2 })
const large = formatter({ minimumFractionDigits: 2, maximumFractionDigits: 2 })
const small = formatter({ maximumSignificantDigits: 3 })

/**
 * Two decimals at most; below one, three significant digits. From a thousand on a fraction has both its
 * decimals, as in the tables beside it.
 */
export const formatNumber = (value: number): string => {
  const size = Math.abs(value)
  if (size < 1 && value !== 0) return small().format(value)
  const whole = Number.isInteger(Math.round(value * 100) / 100)
  return size >= 1000 && !whole ? large().format(value) : plain().format(value)
}

/** A plain value as text; a missing one reads `(missing)`. */
export const formatValue = (value: Json | undefined): string => {
  if (value === null || value === undefined) return "(missing)"
  return typeof value === "number" ? formatNumber(value) : String(value)
}

/** `3 steps`, `1 step`, `17,508 rows`. */
export const counted = (n: number, one: string, many = `${one}s`): string =>
  `${formatNumber(n)} ${n === 1 ? one : many}`
