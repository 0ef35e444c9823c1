/** Sums of money as they are told: US dollars without what adding floating-point numbers leaves behind. */

/** To a millionth of a millionth, far below the price of one token. */
export const dollars = (sum: number): number => Math.round(sum * 1e12) / 1e12
