/**
 * Hashes the unit of an experiment to a number that decides its variant: the arithmetic of GrowthBook's SDKs in whole
 * numbers, so that no unit at the edge of a range is moved by the rounding of fractions.
 */

export interface Range {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** 0 … 9999, evenly spread and the same on every machine: version 2 of GrowthBook's hash, times 10,000. */
export const unitNumber = (salt: string, unit: string): number =>
  fnv1a(String(fnv1a(salt + unit))) % 10_000

/** 0 … 999: version 1 of GrowthBook's hash, times 1000. It correlates between similar seeds, and places units in namespaces only. */
export const placeNumber = (seed: string, unit: string): number => fnv1a(unit + seed) % 1000

/** Whether a unit is in a part of a namespace, given in percent. */
export const isInPart = ({ from, name, to }: Range & { readonly name: string }, unit: string) => {
  const place = placeNumber(`__${name}`, unit)
  return place >= from * 10 && place < to * 10
}

/** The numbers of units that have each share, in percent. A ramp takes the beginning of each, so that a higher one adds units and moves none. */
export const rangesOf = (shares: ReadonlyArray<number>, ramp: number): ReadonlyArray<Range> => {
  let start = 0
  return shares.map((share) => {
    const from = start * 100
    start += share
    return { from, to: from + share * ramp }
  })
}

/** The index of the range that has a number; -1 if none has it. */
export const rangeWith = (number: number, ranges: ReadonlyArray<Range>): number =>
  ranges.findIndex(({ from, to }) => number >= from && number < to)

/** 32-bit FNV-1a over UTF-16 code units. */
const fnv1a = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
