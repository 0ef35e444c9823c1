/** Check digits: sums of digits by weights, and letters by a remainder. */

/** Sum of the digits, each times the weight of its place; weights repeat. */
export const weighted = (digits: string, weights: ReadonlyArray<number>): number => {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    sum += (digits.charCodeAt(place) - 48) * weights[place % weights.length]!
  }
  return sum
}

/** Weights from a number down to 2. */
export const weightsFrom = (first: number): ReadonlyArray<number> =>
  Array.from({ length: first - 1 }, (_, place) => first - place)

/** The digit that fills a sum up to a multiple of ten. */
export const fillsTen = (sum: number): number => (10 - (sum % 10)) % 10

/** The digit of a sum modulo eleven in Brazil and Portugal: remainders 0 and 1 have the digit 0. */
export const ofEleven = (sum: number): number => (sum % 11 < 2 ? 0 : 11 - (sum % 11))

export const isOneDigit = (digits: string): boolean => /^(\d)\1*$/.test(digits)
