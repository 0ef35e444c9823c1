/** Finds personal data in a text: email addresses, phone numbers, IBANs and card numbers. */
import type { CountryCode } from "libphonenumber-js/min"

export const piiKinds = ["email", "phone", "iban", "card"] as const
export type PiiKind = (typeof piiKinds)[number]

/** `end` is exclusive. */
export interface PiiSpan {
  readonly kind: PiiKind
  readonly start: number
  readonly end: number
}

type Find = (text: string) => ReadonlyArray<PiiSpan>

/** Earlier kinds keep a text that several match. */
const order: ReadonlyArray<PiiKind> = ["email", "iban", "card", "phone"]

/** Loads the tables of countries that the kinds need. `country` is that of phone numbers without a prefix. */
export const piiFinder = async (
  kinds: ReadonlyArray<PiiKind>,
  country: string | undefined,
): Promise<Find> => {
  const finds: { readonly [kind in PiiKind]: () => Promise<Find> } = {
    email: async () => findEmails,
    card: async () => findCards,
    iban: ibanFinder,
    phone: () => phoneFinder(country),
  }
  const finders = await Promise.all(
    order.filter((kind) => kinds.includes(kind)).map((kind) => finds[kind]()),
  )
  return (text) => {
    const found: Array<PiiSpan> = []
    for (const find of finders) {
      for (const span of find(text)) {
        if (found.every(({ end, start }) => span.end <= start || span.start >= end))
          found.push(span)
      }
    }
    return found.toSorted((a, b) => a.start - b.start)
  }
}

// Every repetition is bounded, so that no text takes more than linear time.
const EMAIL =
  /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24}/gu
const CARD = /(?<![\d.,])\d(?:[ -]?\d){11,18}(?![\d])/g
const IBAN_START = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}/giu

const findEmails: Find = (text) =>
  text.includes("@") ? spansOf("email", text.matchAll(EMAIL)) : []

const findCards: Find = (text) =>
  spansOf("card", text.matchAll(CARD)).filter(({ end, start }) =>
    hasLuhnDigit(text.slice(start, end)),
  )

const spansOf = (kind: PiiKind, matches: Iterable<RegExpExecArray>): ReadonlyArray<PiiSpan> =>
  [...matches].map(({ 0: match, index }) => ({ kind, start: index, end: index + match.length }))

/** Luhn's check of the last digit. */
export const hasLuhnDigit = (number: string): boolean => {
  const digits = number.replaceAll(/\D/g, "")
  let sum = 0
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return digits !== "" && sum % 10 === 0
}

/** The country determines the length, so that a word after an IBAN is no part of it. */
const ibanFinder = async (): Promise<Find> => {
  const { countrySpecs, isValidIBAN } = await import("ibantools")
  return (text) =>
    [...text.matchAll(IBAN_START)].flatMap(({ 0: head, index: start }) => {
      const specs = countrySpecs as { readonly [code: string]: { readonly chars: number | null } }
      const length = specs[head.slice(0, 2).toUpperCase()]?.chars ?? 0
      let characters = ""
      let end = start
      while (end < text.length && characters.length < length) {
        const next = text[end]!
        if (/[a-z0-9]/i.test(next)) characters += next.toUpperCase()
        else if (next !== " " || text[end - 1] === " ") break
        end++
      }
      const isWhole = !/[\p{L}\p{N}]/u.test(text[end] ?? "")
      return isWhole && isValidIBAN(characters) ? [{ kind: "iban" as const, start, end }] : []
    })
}

const phoneFinder = async (country: string | undefined): Promise<Find> => {
  const { findPhoneNumbersInText, isSupportedCountry } = await import("libphonenumber-js/min")
  if (country !== undefined && !isSupportedCountry(country)) {
    throw new RangeError(`"${country}" is not the code of a country`)
  }
  return (text) =>
    /\d(?:\D{0,3}\d){5}/.test(text)
      ? findPhoneNumbersInText(text, country as CountryCode | undefined).map(
          ({ endsAt, startsAt }) => ({ kind: "phone" as const, start: startsAt, end: endsAt }),
        )
      : []
}
