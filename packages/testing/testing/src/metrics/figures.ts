/** Figures of metrics: four digits, rates, and tenths of the range 0 to 1. */

export const rounded = (value: number): number => Math.round(value * 1e4) / 1e4

/** Null where nothing was counted. */
export const rate = (part: number, whole: number): number | null =>
  whole === 0 ? null : rounded(part / whole)

export const TENTHS = 10

/** The tenth, from 0, that a value belongs to; 1 belongs to the last. */
export const tenthOf = (value: number): number => Math.min(TENTHS - 1, Math.floor(value * TENTHS))
