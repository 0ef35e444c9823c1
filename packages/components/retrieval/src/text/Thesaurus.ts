/** Concepts, which are groups of related words and phrases, and synonyms, which are groups of equal ones. */
import { english } from "./english.ts"
import { stem } from "./stem.ts"
import { words } from "./words.ts"

/** Words and phrases that stand for one concept. */
export type Concept = ReadonlyArray<string>

export class Thesaurus {
  private readonly concepts: Groups
  private readonly synonyms: Groups
  private readonly phrases: ReadonlySet<string>

  constructor(concepts: ReadonlyArray<Concept>, synonyms: ReadonlyArray<Concept> = []) {
    this.concepts = numbered(concepts)
    this.synonyms = numbered(synonyms)
    const keys = [...this.concepts.keys(), ...this.synonyms.keys()]
    this.phrases = new Set(keys.filter((key) => key.includes(" ")))
  }

  /** The numbers of the concepts of a stem, or of a phrase of stems; empty for most. */
  conceptsOf(stemmed: string): ReadonlyArray<number> {
    return this.concepts.get(stemmed) ?? none
  }

  /** The numbers of the groups of synonyms of a stem, or of a phrase of stems. */
  synonymsOf(stemmed: string): ReadonlyArray<number> {
    return this.synonyms.get(stemmed) ?? none
  }

  /** Whether two words in a row are a phrase of a group. */
  hasPhrase(before: string, word: string): boolean {
    return this.phrases.size > 0 && this.phrases.has(`${stem(before)} ${stem(word)}`)
  }
}

/** Numbers of groups by the stems of their words and phrases. */
type Groups = ReadonlyMap<string, ReadonlyArray<number>>

const numbered = (groups: ReadonlyArray<Concept>): Groups => {
  const numbers = new Map<string, ReadonlyArray<number>>()
  groups.forEach((group, number) => {
    for (const key of new Set(group.map(keyOf)))
      numbers.set(key, [...(numbers.get(key) ?? []), number])
  })
  return numbers
}

const none: ReadonlyArray<number> = []

const keyOf = (phrase: string): string => words(phrase).map(stem).join(" ")

/** Concepts of a text: one a line, its words apart by spaces, or its phrases apart by commas. */
export const readConcepts = (text: string): ReadonlyArray<Concept> =>
  text
    .split("\n")
    .map((line) => line.split(line.includes(",") ? "," : " ").map((one) => one.trim()))
    .map((line) => line.filter((one) => one !== ""))
    .filter((line) => line.length > 1)

let shared: Thesaurus | undefined

/** The thesaurus of an index unless it is given another one. */
export const englishThesaurus = (): Thesaurus => (shared ??= new Thesaurus(readConcepts(english)))
