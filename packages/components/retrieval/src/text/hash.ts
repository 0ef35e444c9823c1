/** Hashes a string to a number that is the same on every machine. */

/** FNV-1a over UTF-16 units, 32 bits, unsigned. Cut to 30 bits, 100,000 terms have about five collisions. */
export const hash = (text: string, seed = 0x811c9dc5): number => {
  let value = seed
  for (let at = 0; at < text.length; at++)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
