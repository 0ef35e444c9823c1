/** Numbers with check digits that are found by the form in which they are printed, or by a name near them. */
import type { PiiDetector, PiiKind } from "./PiiKind.ts"

export interface NumberForm {
  /** Source of the expression for the number, without what may stand around it. */
  readonly pattern: string
  /** Whether the check digits are right; of digits and capital letters. True where there are none. */
  readonly isValid: (characters: string) => boolean
  /** Source of the expression for names, one of which has to stand near the number. */
  readonly near?: string
  /** The same for names right before it. A form without `near` and `before` is found by itself. */
  readonly before?: string
}

export interface NamedNumber {
  readonly kind: PiiKind
  /** Digits of the shortest form: texts with fewer in a row are not searched. */
  readonly fewest: number
  readonly forms: ReadonlyArray<NumberForm>
}

/** Characters before a number in which a name is searched. A stream keeps a few more: `PII_LOOKBEHIND`. */
const BEFORE = 60

/** Characters after a number in which a name is searched. */
const AFTER = 48

/** Longest number, with the separators that its forms have. */
const MAX_NUMBER = 32

const START = "(?<![\\p{L}\\p{N}_]|\\p{N}[.,-])"
const END = "(?![\\p{L}\\p{N}_]|[.,-]\\p{N})"

/** Words between a name and a number that stands right after it. */
const LINKS =
  "(?: |:|#|=|\\(|\"|'|is|are|es|é|son|number|n[uú]mero|num|nro|n[°ºo]|\\.|argentin[oa]|espa[nñ]ol)*"

/** A name after a number is a predicate: another number may follow a name that only stands there. */
const PREDICATE =
  "[\"'”»)]{0,2},? ?(?:\\(|(?:which |that |que )?(?:is|are|was|es|son|é|era|as|como)(?!\\p{L}))[^\\d\\n.;]{0,30}?"

/** The letters at the start of a number, in the forms that have some. */
const HEAD = `${START}(?:[A-Z][ -]?|PT ?)?`

/** A number that a name may follow; one that may become longer; a head alone. */
const OPEN = new RegExp(
  `${HEAD}\\d(?:[ /.-]?\\d){6,21}[ .-]?[A-Z]?[^\\n]{0,${AFTER}}$|${HEAD}\\d(?:[ /.-]?\\d){0,21}[ /.-]?[A-Z]?$|${START}(?:[A-Z]|PT?)[ -]?$`,
  "iu",
)

/** Whether a number in a text is named. */
type IsNamed = (text: string, start: number, end: number) => boolean

const named = ({ before, near }: NumberForm): IsNamed => {
  const isNear = near === undefined ? undefined : new RegExp(nameOf(near), "iu")
  const isAfter = near === undefined ? undefined : new RegExp(`^${PREDICATE}${nameOf(near)}`, "iu")
  const isBefore = before === undefined ? undefined : new RegExp(`${nameOf(before)}${LINKS}$`, "iu")
  if (isNear === undefined && isBefore === undefined) return () => true
  return (text, start, end) => {
    const head = text.slice(Math.max(0, start - BEFORE), start)
    return (
      isBefore?.test(head) === true ||
      isNear?.test(head) === true ||
      isAfter?.test(text.slice(end, end + AFTER)) === true
    )
  }
}

const nameOf = (names: string): string => `(?<!\\p{L})(?:${names})(?!\\p{L})`

export const namedNumbers = ({ fewest, forms, kind }: NamedNumber): PiiDetector => {
  const searched = forms.map((form) => ({
    isNamed: named(form),
    isValid: form.isValid,
    expression: new RegExp(`${START}(?:${form.pattern})${END}`, "giu"),
  }))
  const isLong = new RegExp(`\\d(?:[ /.-]?\\d){${fewest - 1}}`)
  return {
    kind,
    longest: MAX_NUMBER + AFTER,
    open: OPEN,
    find: (text) => {
      if (!isLong.test(text)) return []
      const found: Array<{ readonly start: number; readonly end: number }> = []
      for (const { expression, isNamed, isValid } of searched) {
        for (const { 0: match, index: start } of text.matchAll(expression)) {
          const end = start + match.length
          if (!isValid(match.replaceAll(/[^\p{L}\p{N}]/gu, "").toUpperCase())) continue
          if (found.some((one) => start < one.end && end > one.start)) continue
          if (isNamed(text, start, end)) found.push({ start, end })
        }
      }
      return found.toSorted((one, other) => one.start - other.start)
    },
  }
}
