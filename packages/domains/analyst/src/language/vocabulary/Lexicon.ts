/** Lookup tables of a vocabulary and a table: phrases by first word, columns and values by their parts. */
import type { Column, DataProfile } from "@planloom/tables"
import { editDistance, toleratedTypos } from "@planloom/planning"
import { english } from "@planloom/planning/reading"
import { phraseBook, stemsOf, wordsIn } from "./PhraseBook.ts"
import type { PhraseBook } from "./PhraseBook.ts"
import type { Vocabulary } from "./Vocabulary.ts"
import { flagOf } from "../columnKinds.ts"
import { unitOf } from "./measureUnits.ts"
import { partsOf, singular } from "../tokens.ts"

export interface NamedColumn {
  readonly column: Column
  readonly parts: ReadonlyArray<string>
  /** The parts without a unit at the end: weight of Weight_in_lbs. */
  readonly core: ReadonlyArray<string>
}

interface NamedValue {
  readonly column: Column
  readonly value: string
  readonly stems: ReadonlyArray<string>
}

export interface Lexicon {
  readonly analysis: PhraseBook
  readonly outputs: PhraseBook
  readonly charts: PhraseBook
  readonly grains: PhraseBook
  /** Labels are direction and subject: `desc:weight`. */
  readonly extremes: PhraseBook
  /** "heavier than": labels as of `extremes`. */
  readonly comparatives: PhraseBook
  /** "heavier". */
  readonly degrees: PhraseBook
  readonly rows: PhraseBook
  /** Words that negate what follows them. */
  readonly negations: PhraseBook
  /** Words without content in questions about a table. */
  readonly silent: PhraseBook
  /** Words that are no names by themselves: those without content, those of the grammar, and extremes. */
  readonly common: PhraseBook
  /** Stem → stems that may stand for it. */
  readonly synonyms: ReadonlyMap<string, ReadonlySet<string>>
  readonly columns: ReadonlyArray<NamedColumn>
  readonly columnParts: ReadonlySet<string>
  /** Words for units of time. */
  readonly grainWords: ReadonlySet<string>
  /** Columns of yes and no. */
  readonly flags: ReadonlyArray<NamedColumn>
  /** The words of the table's own name. */
  readonly title: ReadonlySet<string>
  readonly values: ReadonlyArray<NamedValue>
  /** Every single word with a meaning; such a word is never corrected to another. */
  readonly known: ReadonlySet<string>
}

/** The candidate that a misspelled word most likely means: at least five letters, same first letter, no tie. */
export const closestWord = (
  word: string,
  candidates: Iterable<string>,
  limit = toleratedTypos(word),
): string | undefined => {
  if (word.length < 5) return undefined
  let best: string | undefined
  let least = limit + 1
  let tied = false
  for (const candidate of candidates) {
    if (candidate.length < 4 || candidate[0] !== word[0]) continue
    const distance = editDistance(word, candidate, limit)
    if (distance > limit || distance > least) continue
    tied = distance === least && candidate !== best
    least = distance
    best = candidate
  }
  return tied ? undefined : best
}

const synonymsOf = (groups: ReadonlyArray<ReadonlyArray<string>>) => {
  const synonyms = new Map<string, Set<string>>()
  for (const group of groups) {
    const stems = group.map((phrase) => stemsOf(phrase).join(" "))
    for (const stem of stems) {
      const set = synonyms.get(stem) ?? new Set()
      for (const other of stems) set.add(other)
      synonyms.set(stem, set)
    }
  }
  return synonyms
}

const genders: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["f", ["female", "woman", "girl"]],
  ["female", ["woman", "girl"]],
  ["m", ["male", "man", "boy"]],
  ["male", ["man", "boy"]],
])

/** "women" for the value F of a column with a value M. */
const aliasesOf = ({ distinct = [] }: Column): ReadonlyMap<string, ReadonlyArray<string>> => {
  const texts = new Set(distinct.map((value) => String(value).toLowerCase()))
  const hasBoth = (texts.has("f") && texts.has("m")) || (texts.has("female") && texts.has("male"))
  return hasBoth ? genders : new Map()
}

const valuesOf = (columns: ReadonlyArray<Column>): ReadonlyArray<NamedValue> =>
  columns
    .filter(({ type }) => type === "string")
    .flatMap((column) =>
      (column.distinct ?? []).flatMap((value) => {
        const stems = typeof value === "string" ? stemsOf(value) : []
        const aliases = aliasesOf(column).get(String(value).toLowerCase()) ?? []
        return [stems, ...aliases.map((alias) => [alias])].flatMap((words) =>
          words.length === 0 || words.length > 8
            ? []
            : [{ column, value: String(value), stems: words }],
        )
      }),
    )

type Parts = ReadonlyArray<string>

/** "in lbs" and a trailing unit are units, no part of a column's name; `temp_min` beside `temp_max` is not in minutes. */
const withoutUnit = (parts: Parts, all: ReadonlyArray<Parts>): Parts => {
  const at = parts.indexOf("in")
  if (at > 0 && parts.length - at <= 3) return parts.slice(0, at)
  const rest = parts.slice(0, -1)
  const isUnit = (one: Parts) => unitOf(one.at(-1) ?? "") !== undefined
  const isSibling = (one: Parts) =>
    one.length === parts.length && rest.every((part, place) => one[place] === part)
  return rest.length > 0 && isUnit(parts) && all.filter(isSibling).every(isUnit) ? rest : parts
}

const extremesOf = ({ most, least }: Vocabulary) => {
  const lists: Record<string, Array<string>> = {}
  for (const [word, of] of Object.entries(most)) (lists[`desc:${of}`] ??= []).push(word)
  for (const [word, of] of Object.entries(least)) (lists[`asc:${of}`] ??= []).push(word)
  return lists
}

/** "oldest" → "older", "most expensive" → "more expensive". */
const comparativeOf = (word: string): string =>
  word
    .replace(/^most /, "more ")
    .replace(/^least /, "less ")
    .replace(/^best /, "better ")
    .replace(/est$/, "er")

const comparativesOf = (vocabulary: Vocabulary, more: string) =>
  Object.fromEntries(
    Object.entries(extremesOf(vocabulary)).map(([label, list]) => [
      label,
      list.map((word) => `${comparativeOf(word)}${more}`),
    ]),
  )

/** Words of numbers, months and comparisons, besides those of the grammar; never corrected to another word. */
const compared =
  "two three four five six seven eight nine ten twelve fifteen twenty fifty hundred " +
  "january february march april june july august september october november december " +
  "spring summer autumn winter season weekend excluding exclude ignoring apart aside outside minus omit skip " +
  "starting beginning through prior following beyond exceeding exceeds exceed " +
  "greater larger smaller higher lower longer shorter older younger heavier lighter equal equals " +
  "having missing empty null blank called named previous past recent preceding current latest third fourth " +
  "quarter against versus toward towards greatest strongest weakest fewest poorest best worst highest lowest " +
  "largest smallest biggest"

const extremeWords =
  "top bottom best worst highest lowest largest smallest biggest greatest high low higher lower total".split(
    " ",
  )

/** Words of the language that are no names: of every class but the wishes to change something, which are nouns, too. */
const grammatical = [
  ...english.functionWords,
  ...Object.entries(english.operators).flatMap(([operator, list]) =>
    operator === "change" ? [] : list,
  ),
]

/** Lookup tables of a vocabulary, independent of a table. */
const readVocabulary = (vocabulary: Vocabulary) => {
  const books = {
    analysis: phraseBook(vocabulary.analysis),
    outputs: phraseBook(vocabulary.outputs),
    charts: phraseBook(vocabulary.charts),
    grains: phraseBook(vocabulary.grains),
    extremes: phraseBook(extremesOf(vocabulary)),
    comparatives: phraseBook(comparativesOf(vocabulary, " than")),
    degrees: phraseBook(comparativesOf(vocabulary, "")),
    rows: phraseBook({ row: vocabulary.rows }),
    negations: phraseBook({ negation: vocabulary.negations }),
    silent: phraseBook({ silent: vocabulary.silent }),
    common: phraseBook({ common: [...vocabulary.silent, ...grammatical, ...extremeWords] }),
  }
  const known = [
    ...Object.values(books).flatMap(wordsIn),
    ...vocabulary.synonyms.flat().map(singular),
    ...grammatical.flatMap((phrase) => phrase.split(" ")).map(singular),
    ...compared.split(" "),
  ]
  const grainWords = new Set(wordsIn(books.grains))
  return { books, grainWords, synonyms: synonymsOf(vocabulary.synonyms), words: new Set(known) }
}

/** Lookup tables by vocabulary: one vocabulary serves many tables. */
const vocabularies = new WeakMap<Vocabulary, ReturnType<typeof readVocabulary>>()

export const makeLexicon = (vocabulary: Vocabulary, profile: DataProfile): Lexicon => {
  const read = vocabularies.get(vocabulary) ?? readVocabulary(vocabulary)
  vocabularies.set(vocabulary, read)
  const values = valuesOf(profile.columns)
  const named = profile.columns.map((column) => ({ column, parts: partsOf(column.name) }))
  const all = named.map(({ parts }) => parts)
  const columns = named.map((one) => ({ ...one, core: withoutUnit(one.parts, all) }))
  return {
    ...read.books,
    synonyms: read.synonyms,
    grainWords: read.grainWords,
    columns,
    columnParts: new Set(columns.flatMap(({ parts }) => parts)),
    flags: columns.filter(({ column }) => flagOf(column) !== undefined),
    title: new Set(partsOf(profile.title ?? "")),
    values,
    known: new Set([
      ...read.words,
      ...columns.flatMap(({ parts }) => parts),
      ...values.flatMap(({ stems }) => stems),
    ]),
  }
}
