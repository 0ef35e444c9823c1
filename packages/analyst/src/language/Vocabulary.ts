/** The words people ask with, and what they mean: data, so that a domain can add its own. */
import type { JsonSchema } from "@planloom/plugin"
import type { Analysis, AskedGrain, Output } from "../requirements/Requirements.ts"
import { defaultVocabulary } from "./defaultVocabulary.ts"

/** Phrases in lower case; plurals need no entry of their own. */
type Phrases = ReadonlyArray<string>

export interface Vocabulary {
  readonly analysis: { readonly [A in Analysis]?: Phrases }
  readonly outputs: { readonly [O in Output]?: Phrases }
  /** Kind of chart → its names; `histogram` and `scatter` imply an analysis too. */
  readonly charts: { readonly [chart: string]: Phrases }
  readonly grains: { readonly [G in AskedGrain]?: Phrases }
  /** Words for one thing each: any of them may stand for a column named with another. */
  readonly synonyms: ReadonlyArray<Phrases>
  /** "heaviest" asks for the most of a weight: word → what it is the most of. */
  readonly most: { readonly [word: string]: string }
  /** "lightest" → weight. */
  readonly least: { readonly [word: string]: string }
  /** Words that refuse what follows them: "no chart", "excluding Europe". */
  readonly negations: Phrases
  /** What people call the rows of a table. */
  readonly rows: Phrases
  /** Words that carry no request. */
  readonly silent: Phrases
}

const phrases = { type: "array", items: { type: "string" } } as const
const lists = { type: "object", additionalProperties: phrases } as const

export const vocabularySchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    analysis: lists,
    outputs: lists,
    charts: lists,
    grains: lists,
    synonyms: { type: "array", items: phrases },
    most: { type: "object", additionalProperties: { type: "string" } },
    least: { type: "object", additionalProperties: { type: "string" } },
    negations: phrases,
    rows: phrases,
    silent: phrases,
  },
} as const satisfies JsonSchema

/** What a catalog says: any part of a vocabulary, and what it adds to. */
export interface WrittenVocabulary extends Partial<Vocabulary> {
  /** `none` when it is the whole vocabulary; the words are added to the general English ones otherwise. */
  readonly base?: "english" | "none"
}

type Lists = { readonly [key: string]: Phrases | undefined }

const unique = <A>(...items: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(items)]

const joinLists = (left: Lists, right: Lists | undefined): Lists =>
  Object.fromEntries(
    unique(...Object.keys(left), ...Object.keys(right ?? {})).map((key) => [
      key,
      unique(...(left[key] ?? []), ...(right?.[key] ?? [])),
    ]),
  )

/** What `more` says is added, never taken away. */
export const extendVocabulary = (base: Vocabulary, more: Partial<Vocabulary>): Vocabulary => ({
  analysis: joinLists(base.analysis, more.analysis),
  outputs: joinLists(base.outputs, more.outputs),
  charts: joinLists(base.charts, more.charts) as Vocabulary["charts"],
  grains: joinLists(base.grains, more.grains),
  synonyms: [...(more.synonyms ?? []), ...base.synonyms],
  most: { ...base.most, ...more.most },
  least: { ...base.least, ...more.least },
  negations: unique(...base.negations, ...(more.negations ?? [])),
  rows: unique(...base.rows, ...(more.rows ?? [])),
  silent: unique(...base.silent, ...(more.silent ?? [])),
})

const noWords: Vocabulary = {
  analysis: {},
  outputs: {},
  charts: {},
  grains: {},
  synonyms: [],
  most: {},
  least: {},
  negations: [],
  rows: [],
  silent: [],
}

/** A catalog's words are read once, however often they are asked for. */
const known = new WeakMap<WrittenVocabulary, Vocabulary>()

/** The vocabulary a catalog gives, ready to be read with; the general English one when there is none. */
export const vocabularyOf = (written: WrittenVocabulary | undefined): Vocabulary => {
  if (written === undefined) return defaultVocabulary()
  const base = written.base === "none" ? noWords : defaultVocabulary()
  const found = known.get(written) ?? extendVocabulary(base, written)
  known.set(written, found)
  return found
}
