/** Formats durations, counts and money for display. */

/** Formats `85 ms`, `1.4 s`, `2 m 05 s`, `1 h 02 m`, with a nearly constant width. */
export const duration = (ms: number): string => {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`
}

const two = (value: number): string => String(value).padStart(2, "0")

/** Formats `940`, `12.3k`, `1.20M`. */
export const count = (value: number): string => {
  if (value < 1000) return String(value)
  if (value < 999_950) return `${(value / 1000).toFixed(1)}k`
  return `${(value / 1_000_000).toFixed(2)}M`
}

/** Formats US dollars: two decimals from ten cents up, below that enough decimals for two significant digits. */
export const money = (dollars: number): string => {
  if (dollars === 0) return "$0"
  if (dollars >= 0.1) return `$${dollars.toFixed(2)}`
  return `$${dollars.toFixed(Math.min(12, Math.max(4, 1 - Math.floor(Math.log10(dollars)))))}`
}

/** Formats `1 stage`, `3 stages`. */
export const plural = (value: number, noun: string, many = `${noun}s`): string =>
  `${value} ${value === 1 ? noun : many}`
