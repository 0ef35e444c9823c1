/** IP addresses, of version 4 and 6. */
import { isIP } from "node:net"
import type { PiiDetector } from "./PiiKind.ts"

/** Longest address: version 6 that ends in version 4. */
const MAX_LENGTH = 45

const OCTET = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)"
const VERSION_4 = `(?<![\\d.])${OCTET}(?:\\.${OCTET}){3}(?!\\d|\\.\\d)`
// Fewer colons than three, and no digit: a path of a program, such as `a::b`.
const VERSION_6 = `(?<![\\w:.])(?=[a-f:]{0,39}\\d)(?:[\\da-f]{0,4}:){3,7}(?:${OCTET}(?:\\.${OCTET}){3}|[\\da-f]{0,4})(?![\\w:]|\\.\\d)`
const ADDRESS = new RegExp(`${VERSION_6}|${VERSION_4}`, "gi")

export const ipAddresses: PiiDetector = {
  kind: "ip",
  longest: MAX_LENGTH,
  open: /(?<!\w)[\da-f:][\da-f:.]*$/i,
  find: (text) =>
    [...text.matchAll(ADDRESS)]
      .filter(({ 0: address }) => isIP(address) !== 0)
      .map(({ 0: match, index }) => ({ start: index, end: index + match.length })),
}
