/** Rounds sums of US dollars to remove floating-point noise. */

/** Rounds to 1e-12 dollars, far below the price of one token. */
export const dollars = (sum: number): number => Math.round(sum * 1e12) / 1e12
