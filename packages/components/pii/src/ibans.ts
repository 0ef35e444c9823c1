/** International bank account numbers (IBAN) with correct check digits. */
import { countrySpecs, isValidIBAN } from "ibantools"
import type { PiiDetector } from "./PiiKind.ts"

/** Longest number, with a space between all characters. */
const MAX_LENGTH = 67

const SEPARATOR = /[ .-]/

const START = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}/giu

const specs = countrySpecs as { readonly [code: string]: { readonly chars: number | null } }

export const ibans: PiiDetector = {
  kind: "iban",
  longest: MAX_LENGTH,
  open: /(?<![\p{L}\p{N}])[A-Z](?:[A-Z](?:\d(?:\d(?:[ .-]?[A-Z0-9])*[ .-]?)?)?)?$/iu,
  // The country determines the length, so that a word after a number is no part of it.
  find: (text) =>
    [...text.matchAll(START)].flatMap(({ 0: head, index: start }) => {
      const length = specs[head.slice(0, 2).toUpperCase()]?.chars ?? 0
      let characters = ""
      let end = start
      while (end < text.length && characters.length < length) {
        const next = text[end]!
        if (/[a-z0-9]/i.test(next)) characters += next.toUpperCase()
        else if (!SEPARATOR.test(next) || SEPARATOR.test(text[end - 1]!)) break
        end++
      }
      const isWhole = !/[\p{L}\p{N}]/u.test(text[end] ?? "")
      return isWhole && isValidIBAN(characters) ? [{ start, end }] : []
    }),
}
