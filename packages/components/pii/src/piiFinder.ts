/** Finds personal data of chosen kinds in a text. */
import { cbu, clabe, routing } from "./bankAccounts.ts"
import { cards } from "./cards.ts"
import { emails } from "./emails.ts"
import { ibans } from "./ibans.ts"
import { cpf, dni, nif } from "./identityNumbers.ts"
import { ipAddresses } from "./ipAddresses.ts"
import { phones } from "./phones.ts"
import { plainText } from "./plainText.ts"
import { usualPiiKinds, type PiiDetector, type PiiKind, type PiiSpan } from "./PiiKind.ts"
import { socialSecurity } from "./socialSecurity.ts"

export interface PiiOptions {
  readonly kinds?: ReadonlyArray<PiiKind>
  /** Of phone numbers without a prefix. */
  readonly countries?: ReadonlyArray<string>
}

export interface PiiFinder {
  /** Length of the longest match. */
  readonly longest: number
  /** Matches in order, none of which overlap. */
  readonly find: (text: string) => ReadonlyArray<PiiSpan>
  /** Start of the end of a text that more text could turn into a match; else the text's length. */
  readonly pending: (text: string) => number
}

/** Earlier kinds keep a text that several match. */
const order: ReadonlyArray<PiiKind> = [
  "email",
  "iban",
  "clabe",
  "cbu",
  "card",
  "ssn",
  "routing",
  "cpf",
  "dni",
  "nif",
  "ip",
  "phone",
]

/** Characters before the open end of a text on which matches in it depend: the name of a number, or its groups that another follows. */
export const PII_LOOKBEHIND = 64

/** Throws RangeError for an unknown country. */
export const piiFinder = ({ countries = [], kinds = usualPiiKinds }: PiiOptions): PiiFinder => {
  const detectors: { readonly [kind in PiiKind]: () => PiiDetector } = {
    email: () => emails,
    iban: () => ibans,
    clabe: () => clabe,
    cbu: () => cbu,
    routing: () => routing,
    card: () => cards,
    ssn: () => socialSecurity,
    cpf: () => cpf,
    dni: () => dni,
    nif: () => nif,
    ip: () => ipAddresses,
    phone: () => phones(countries),
  }
  const chosen = order.filter((kind) => kinds.includes(kind)).map((kind) => detectors[kind]())
  const longest = Math.max(...chosen.map((one) => one.longest))
  // Several kinds have the same open end.
  const ends = [...new Map(chosen.map((detector) => [detector.open, detector])).values()]
  const findIn = (text: string): ReadonlyArray<PiiSpan> => {
    const found: Array<PiiSpan> = []
    for (const detector of chosen) {
      const { kind } = detector
      const free = detector
        .find(text)
        .filter(({ end, start }) => !found.some((one) => start < one.end && end > one.start))
      found.push(...free.map(({ end, start }) => ({ kind, start, end })))
    }
    return found.toSorted((a, b) => a.start - b.start)
  }
  return {
    longest,
    find: (written) => {
      const { endOf, startOf, text } = plainText(written)
      return findIn(text).map(({ end, kind, start }) => ({
        kind,
        start: startOf(start),
        end: endOf(end),
      }))
    },
    pending: (written) => {
      const { startOf, text } = plainText(written)
      let start = Math.min(...ends.map((detector) => openAt(detector, text)))
      if (start === text.length) return written.length
      // A match of one kind may reach into the open end of another, and that one into a third: none may be decided yet.
      const from = Math.max(0, start - longest)
      const near = text.slice(from)
      const found = chosen
        .flatMap((detector) => detector.find(near))
        .toSorted((one, other) => other.end - one.end)
      for (let before = -1; before !== start;) {
        before = start
        for (const one of found) {
          if (from + one.start < start && from + one.end > start) start = from + one.start
        }
      }
      return startOf(start)
    },
  }
}

const openAt = ({ longest, open }: PiiDetector, text: string): number => {
  const from = Math.max(0, text.length - 2 * longest)
  const match = open.exec(text.slice(from))
  return match === null ? text.length : Math.max(from + match.index, text.length - longest)
}
