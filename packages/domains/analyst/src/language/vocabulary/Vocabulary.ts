/** Vocabulary of questions: words by meaning, as data that a domain can extend. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { grains } from "@planloom/tables"
import { analyses, outputs } from "../../requirements/Requirements.ts"
import type { Analysis, AskedGrain, Output } from "../../requirements/Requirements.ts"

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
  /** Words that negate what follows them: "no chart", "excluding Europe". */
  readonly negations: Phrases
  /** What people call the rows of a table. */
  readonly rows: Phrases
  /** Words without content in questions about a table, besides the function words of the language. */
  readonly silent: Phrases
}

const phrases = { type: "array", items: { type: "string", minLength: 1 } } as const
const subjects = { type: "object", additionalProperties: { type: "string", minLength: 1 } } as const

/** Lists of words by what they mean, of these meanings only. */
const meanings = (labels: ReadonlyArray<string>, description: string) =>
  ({
    type: "object",
    properties: Object.fromEntries(labels.map((label) => [label, phrases])),
    additionalProperties: false,
    description,
  }) as const

export const vocabularySchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    synonyms: {
      type: "array",
      items: phrases,
      description:
        "Words for one thing each: a column named by one of them is found by all of them.",
    },
    analysis: meanings(analyses, "Words that ask for a total, an average, a trend, a comparison …"),
    grains: meanings(grains, "Words for intervals of time."),
    outputs: meanings(outputs, "Words that ask for a chart, a table or a text."),
    charts: {
      type: "object",
      additionalProperties: phrases,
      description: "Names of each kind of chart.",
    },
    negations: { ...phrases, description: "Words that negate what follows them." },
    most: {
      ...subjects,
      description: "Words that ask for the most of something: heaviest: weight.",
    },
    least: {
      ...subjects,
      description: "Words that ask for the least of something: cheapest: price.",
    },
    rows: { ...phrases, description: "What people call the rows of a table." },
    silent: {
      ...phrases,
      description:
        "Words without content in questions about a table, besides the function words of the language.",
    },
  },
} as const satisfies JsonSchema

/** A file of kind Vocabulary: any part of a vocabulary, and the words that it extends. */
export interface VocabularyFile extends Partial<Vocabulary> {
  readonly name?: string
  readonly description?: string
  /** `none` when it is the whole vocabulary; the words are added to the general English ones otherwise. */
  readonly base?: "english" | "none"
}

type Lists = { readonly [key: string]: Phrases | undefined }

const unique = <A>(...items: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(items)]

/** A label such as `constructor` is no list unless it is written. */
const ownList = (lists: Lists | undefined, key: string): Phrases =>
  (lists !== undefined && Object.hasOwn(lists, key) ? lists[key] : undefined) ?? []

const joinLists = (left: Lists, right: Lists | undefined): Lists =>
  Object.fromEntries(
    unique(...Object.keys(left), ...Object.keys(right ?? {})).map((key) => [
      key,
      unique(...ownList(left, key), ...ownList(right, key)),
    ]),
  )

/** Adds words; of two subjects of one word under `most` or `least` the later wins. */
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
