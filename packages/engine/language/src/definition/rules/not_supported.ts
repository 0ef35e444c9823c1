/** PL4004: a key of a plugin cannot act where it stands. */
import type { Rule } from "./Rule.ts"

/** Reported where sections are bound. */
export const notSupported: Rule = {
  code: "PL4004",
  slug: "not_supported",
  severity: "error",
  title: "The key cannot act here",
  why: "The engine could only ignore it, and a review that does not happen is worse than none.",
  fix: "Move it to where it can act, or remove it.",
  wrong: "{ id: sum, uses: set, shadow: { gate: [pii] } }",
  right: "{ id: reply, uses: generate, shadow: { gate: [pii] } }",
}
