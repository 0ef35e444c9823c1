/** Email addresses under a top-level domain that exists. */
import { parse } from "tldts"
import type { PiiDetector } from "./PiiKind.ts"

/** Longest address that mail servers accept. */
const MAX_ADDRESS = 320

/** Longest part before the `@`. */
const MAX_LOCAL = 64

const LOCAL = /[\p{L}\p{N}._%+'-]+$/u
// Every repetition is bounded, so that no text takes more than linear time.
const DOMAIN =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:xn--[a-z0-9-]{1,59}|\p{L}{2,24})/iuy

export const emails: PiiDetector = {
  kind: "email",
  longest: MAX_ADDRESS,
  open: /[\p{L}\p{N}._%+'@-]+$/u,
  find: (text) => {
    const found: Array<{ readonly start: number; readonly end: number }> = []
    let free = 0
    for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
      const before = text.slice(Math.max(free, at - MAX_LOCAL), at)
      const local = LOCAL.exec(before)?.[0].replace(/^[.'-]+/, "") ?? ""
      const domain = local === "" ? undefined : domainAt(text, at + 1)
      if (domain === undefined) continue
      const start = at - local.length
      const end = at + 1 + domain.length
      if (end - start > MAX_ADDRESS) continue
      found.push({ start, end })
      free = end
    }
    return found
  },
}

/** Labels after the top-level domain belong to the next sentence: `ann@example.com.Thanks`. */
const domainAt = (text: string, from: number): string | undefined => {
  DOMAIN.lastIndex = from
  let domain = DOMAIN.exec(text)?.[0]
  while (domain?.includes(".") === true) {
    const { domain: registered, isIcann } = parse(domain)
    if (isIcann === true && registered !== null) return domain
    domain = domain.slice(0, domain.lastIndexOf("."))
  }
  return undefined
}
