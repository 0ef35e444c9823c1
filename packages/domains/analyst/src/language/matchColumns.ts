/** Matches words to columns, with a score. */
import type { Column } from "@planloom/tables"
import type { Lexicon, NamedColumn } from "./vocabulary/Lexicon.ts"
import { singular } from "./tokens.ts"

/** 1 for the exact name; lower for inexact matches. */
export const EXACT = 1
export const REORDERED = 0.95
export const SYNONYM = 0.85
/** A part of a name that is its last word: "category" for product_category. */
export const PART = 0.8
const OTHER_PART = 0.75
const PART_SYNONYM = 0.7
const PREFIX = 0.65
const PART_PREFIX = 0.62

const same = (left: ReadonlyArray<string>, right: ReadonlyArray<string>) =>
  left.length === right.length && left.every((one, at) => one === right[at])

const means = (word: string, part: string, { synonyms }: Lexicon) =>
  synonyms.get(word)?.has(part) === true

/** "expectancy" and "expect", "population" and "pop", "resolution" and "resolve". */
const sharePrefix = (word: string, part: string): boolean => {
  const shorter = Math.min(word.length, part.length)
  let common = 0
  while (common < shorter && word[common] === part[common]) common++
  const abbreviates = common === part.length && part.length >= 3 && word.length >= 5
  const begins = common === word.length && word.length >= 4 && part.length >= word.length + 4
  return abbreviates || begins || (common >= 5 && common >= 0.7 * shorter)
}

const naming = new Set(["name", "title", "label"])

type Likeness = "same" | "synonym" | "prefix"

const likenessOf = (stem: string, part: string, lexicon: Lexicon): Likeness | undefined => {
  if (stem === part) return "same"
  if (means(stem, part, lexicon)) return "synonym"
  const common = lexicon.known.has(stem) && !lexicon.columnParts.has(stem)
  return !common && sharePrefix(stem, part) ? "prefix" : undefined
}

/** Assigns each word to its own part of the name, best match first; undefined if a word has none. */
const assign = (
  stems: ReadonlyArray<string>,
  parts: ReadonlyArray<string>,
  lexicon: Lexicon,
): ReadonlyMap<string, Likeness> | undefined => {
  const found = new Map<string, Likeness>()
  for (const wanted of ["same", "synonym", "prefix"] as const) {
    for (const stem of stems) {
      if (found.has(`>${stem}`)) continue
      const part = parts.find((one) => !found.has(one) && likenessOf(stem, one, lexicon) === wanted)
      if (part === undefined) continue
      found.set(part, wanted)
      found.set(`>${stem}`, wanted)
    }
  }
  if (!stems.every((stem) => found.has(`>${stem}`))) return undefined
  return new Map([...found].filter(([key]) => !key.startsWith(">")))
}

const qualityOf = (
  stems: ReadonlyArray<string>,
  { column, parts, core }: NamedColumn,
  written: string,
  lexicon: Lexicon,
): number => {
  if (written === column.name || same(stems, parts)) return EXACT
  if (stems.join("") === parts.join("") || same(stems, core)) return EXACT
  const phrase = stems.join(" ")
  if (means(phrase, core.join(" "), lexicon) || means(phrase, parts.join(" "), lexicon)) {
    return SYNONYM
  }
  const assigned = assign(stems, parts, lexicon)
  if (assigned === undefined) return 0
  const likenesses = new Set(assigned.values())
  const whole = core.every((part) => assigned.has(part))
  if (likenesses.has("prefix")) return whole ? PREFIX : PART_PREFIX
  // A song is named by its name.
  if (naming.has(parts.at(-1) ?? "") && parts.slice(0, -1).every((part) => assigned.has(part)))
    return likenesses.has("synonym") ? SYNONYM : REORDERED
  if (likenesses.has("synonym")) return whole ? SYNONYM : PART_SYNONYM
  if (whole) return REORDERED
  return assigned.has(core.at(-1) ?? "") ? PART : OTHER_PART
}

export interface ColumnMatch {
  /** Several if they match equally well. */
  readonly columns: ReadonlyArray<Column>
  readonly quality: number
}

/** The columns these words fit best; `written` is how they stand in the question. */
export const matchColumns = (
  stems: ReadonlyArray<string>,
  written: string,
  lexicon: Lexicon,
): ColumnMatch | undefined => {
  const scored = lexicon.columns.map((named) => ({
    column: named.column,
    quality: qualityOf(stems, named, written, lexicon),
  }))
  const quality = Math.max(0, ...scored.map((one) => one.quality))
  if (quality === 0) return undefined
  const best = scored.filter((one) => one.quality === quality).map(({ column }) => column)
  const spelled = best.filter(
    ({ name }) => singular(name.toLowerCase()) === singular(written.toLowerCase()),
  )
  return { columns: spelled.length > 0 ? spelled : best, quality }
}
