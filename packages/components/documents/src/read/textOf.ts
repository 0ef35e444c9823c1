/** Bytes decoded as text, unless they are binary. */

/** Control characters that text files have: tab, line feed, form feed, carriage return. */
const usual = new Set([9, 10, 12, 13])

/** Undefined for bytes that are not text: more than 1 in 50 control characters, or any NUL. */
export const textOf = (bytes: Uint8Array): string | undefined => {
  let odd = 0
  for (const byte of bytes) {
    if (byte === 0) return undefined
    if (byte < 32 && !usual.has(byte)) odd++
  }
  if (odd * 50 > bytes.length) return undefined
  return new TextDecoder().decode(bytes)
}
