/** A digest that finds accidental changes of a text. */

/**
 * 64 bits in hex: cyrb53 by bryc (public domain) with both of its halves. It does not resist an attacker, who could as
 * well compute any other digest of the changed text. SHA-256 would load Node's cryptography at the start of every host.
 */
export const digestOf = (text: string): string => {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x9e3779b1)
    b = Math.imul(b ^ unit, 0x5f356495)
  }
  const first = mix(a, b)
  return hex(mix(b, first)) + hex(first)
}

const mix = (own: number, other: number): number =>
  Math.imul(own ^ (own >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35)

const hex = (half: number): string => (half >>> 0).toString(16).padStart(8, "0")
