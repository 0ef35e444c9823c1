/** Hashes the unit of an experiment to a number that decides its variant. */

export const UNIT_NUMBERS = 10_000

/** 0 … 9999, evenly spread and the same on every machine: version 2 of GrowthBook's hash, times 10,000. */
export const unitNumber = (salt: string, unit: string): number =>
  fnv1a(String(fnv1a(salt + unit))) % UNIT_NUMBERS

/** 0 … 0.999: the place of a unit in a namespace, as GrowthBook computes it. */
export const namespacePlace = (namespace: string, unit: string): number =>
  (fnv1a(`${unit}__${namespace}`) % 1000) / 1000

/** 32-bit FNV-1a over UTF-16 code units. */
const fnv1a = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
