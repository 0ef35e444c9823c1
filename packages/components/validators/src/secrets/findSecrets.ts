/** Finds secrets in a text: tokens of known services, passwords in URLs, private keys, and values declared as secret. */
import { RE2JS } from "re2js"
import { runStart, type Found } from "@planloom/review-kit"
import {
  ASSIGNMENT,
  KEY_BEGIN,
  KEY_BODY,
  KEY_END,
  OPEN_ASSIGNMENT,
  OTHER_HEAD,
  OTHER_NAME,
  secretRules,
} from "./secretRules.ts"

const DECLARED = "declared secret"

/** What is found without a format of the author. */
export const secretKinds: ReadonlyArray<string> = [
  ...new Set([...secretRules.map(({ what }) => what), DECLARED]),
]

/** A format of the author. */
export interface SecretPattern {
  readonly name: string
  readonly pattern: string
}

/** Longest match: a private key. */
export const LONGEST_SECRET = 4200

/** Longest text before a secret by which it is found: the name of a value, or a URL before its password. */
export const SECRET_LOOKBEHIND = 160

/** Longest match of a pattern of the author. */
const MAX_OWN = 256

/** Longest word before a name that says that it is no secret. */
const MAX_HEAD = 16

/** Shannon entropy in bits for each character, below which a token is made of a few signs; a short password may be. */
const MIN_VARIED = 1.2

/** Shannon entropy in bits for each character, below which a declared value is a word. */
const MIN_ENTROPY = 2.8

export const findSecrets = (
  text: string,
  patterns: ReadonlyArray<SecretPattern>,
): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  for (const { keyword, pattern, what } of secretRules) {
    if (!text.includes(keyword)) continue
    for (const match of text.matchAll(pattern)) {
      const place = placeOf(match)
      if (!isPlaceholder(text.slice(place.start, place.end))) found.push({ ...place, what })
    }
  }
  for (const match of text.matchAll(ASSIGNMENT)) {
    const { name, secret } = match.groups!
    const head = text.slice(Math.max(0, match.index - MAX_HEAD), match.index)
    if (OTHER_NAME.test(name!) || OTHER_HEAD.test(head)) continue
    if (isRandom(secret!)) found.push({ ...placeOf(match), what: DECLARED })
  }
  for (const { name, pattern } of patterns) {
    const matcher = compiled(pattern).matcher(text)
    while (matcher.find()) {
      const [start, end] = [matcher.start(), matcher.end()]
      if (end > start && end - start <= MAX_OWN) found.push({ start, end, what: name })
    }
  }
  return merged(found)
}

/** In order; matches that overlap become one, of the kind of the first rule. */
const merged = (found: ReadonlyArray<Found>): ReadonlyArray<Found> => {
  const all: Array<Found & { readonly order: number }> = []
  for (const one of found
    .map((each, order) => ({ ...each, order }))
    .toSorted((a, b) => a.start - b.start || a.order - b.order)) {
    const last = all.at(-1)
    if (last === undefined || one.start >= last.end) all.push(one)
    else {
      const { order, what } = one.order < last.order ? one : last
      all[all.length - 1] = { start: last.start, end: Math.max(last.end, one.end), what, order }
    }
  }
  return all.map(({ end, start, what }) => ({ start, end, what }))
}

const OPEN_WORD = /(?<=([^\s"'`<>]{0,4096}))/y
const OPEN_KEY = new RegExp(
  `${KEY_BEGIN}(?!${KEY_BODY}{64,4000}?${KEY_END})${KEY_BODY}*\\\\?$|-{1,5}(?:BEGIN[A-Z0-9 ]{0,40}-{0,4})?$`,
)
/** Start of the end of a text that more text could turn into a secret, or into a longer one. */
export const openSecret = (text: string, hasPatterns: boolean): number => {
  const starts = [
    runStart(text, OPEN_WORD),
    startOf(text, OPEN_ASSIGNMENT, 320),
    text.includes("--") || text.endsWith("-")
      ? startOf(text, OPEN_KEY, LONGEST_SECRET)
      : text.length,
    hasPatterns ? Math.max(0, text.length - MAX_OWN) : text.length,
  ]
  return Math.min(...starts)
}

const startOf = (text: string, open: RegExp, longest: number): number => {
  const from = Math.max(0, text.length - longest)
  const match = open.exec(text.slice(from))
  return match === null ? text.length : from + match.index
}

const placeOf = ({ 0: match, groups, index }: RegExpExecArray): { start: number; end: number } => {
  const { rest = "", secret } = groups ?? {}
  if (secret === undefined) return { start: index, end: index + match.length + rest.length }
  const start = index + match.lastIndexOf(secret)
  return { start, end: start + secret.length }
}

/** Shown in place of a secret: `xxxxxx`, `****`, `YOUR_PASSWORD`. */
const isPlaceholder = (secret: string): boolean =>
  entropyOf(secret) < MIN_VARIED ||
  (/([xX*.0-])\1{11}/.test(secret) && secret.replaceAll(/(.)\1{5,}/g, "").length <= 12) ||
  /^(?:-----[A-Z ]+-----)?[\sx*.0_-]*(?:-----[A-Z ]+-----)?$/i.test(secret) ||
  /^(?:my|your|replace|change|example|dummy|fake)[a-z_-]*$|^(?:password|passwd|secret|user(?:name)?|admin|root|test|mongodb|mysql|postgres(?:ql)?|redis)$/i.test(
    secret,
  )

/** A value with letters and digits whose characters vary: no word, no amount. */
const isRandom = (value: string): boolean =>
  /\p{L}/u.test(value) &&
  /\d/.test(value) &&
  !value.includes("://") &&
  entropyOf(value) >= MIN_ENTROPY &&
  (!SEPARATORS.test(value) ||
    value.length >= LONG ||
    value.split(SEPARATORS).some((part) => part.length >= 6 && isMixed(part)))

const SEPARATORS = /[-_./:]+/

/** Values of this length are random also if their parts look like words. */
const LONG = 30

/** Letters and digits in turns: no word with a number, no version. */
const isMixed = (part: string): boolean =>
  /\p{L}/u.test(part) && /\d/.test(part) && !/^(?:\p{L}+\d+|\d+\p{L}+)$/u.test(part)

const entropyOf = (text: string): number => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

const patternsKept = new Map<string, RE2JS>()

/** JavaScript's syntax without what has no linear time: look-around and back-references. */
const compiled = (source: string): RE2JS => {
  const kept = patternsKept.get(source) ?? RE2JS.compile(RE2JS.translateRegExp(source))
  patternsKept.set(source, kept)
  return kept
}
