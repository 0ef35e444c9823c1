/** A digest that finds accidental changes of a text. */

/**
 * 64 bits in hex, after cyrb53 by bryc (public domain): both of its halves, and two UTF-16 units a step, for which V8 does
 * not start its optimizing compiler at the size of an artefact. It does not resist an attacker, who could as well compute
 * any other digest of the changed text. SHA-256 would load Node's cryptography at the start of every host.
 */
export const digestOf = (text: string): string => {
  let a = 0xdeadbeef ^ text.length
  let b = 0x41c6ce57
  for (let at = 0; at < text.length; at += 2) {
    // Behind the end a unit is NaN, which shifts to 0.
    const units = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)
    a = Math.imul(a ^ units, 0x9e3779b1)
    a ^= a >>> 15
    b = Math.imul(b ^ units, 0x5f356495)
    b ^= b >>> 13
  }
  const first = mix(a, b)
  return hex(mix(b, first)) + hex(first)
}

const mix = (own: number, other: number): number =>
  Math.imul(own ^ (own >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35)

const hex = (half: number): string => (half >>> 0).toString(16).padStart(8, "0")
