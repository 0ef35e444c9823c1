/** A number for a string, the same on every machine and in every run. */

/** FNV-1a over UTF-16 units, 32 bits, unsigned. Two of 100,000 terms share a number about once. */
export const hash = (text: string, seed = 0x811c9dc5): number => {
  let value = seed
  for (let at = 0; at < text.length; at++)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
