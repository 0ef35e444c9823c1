/** Groups of related words and phrases: a text matches another one by a word of the same group. */
import { english } from "./english.ts"
import { stem } from "./stem.ts"
import { words } from "./words.ts"

/** Words and phrases that stand for one concept. */
export type Concept = ReadonlyArray<string>

export class Thesaurus {
  private readonly concepts = new Map<string, Array<number>>()
  private readonly phrases = new Set<string>()

  constructor(groups: ReadonlyArray<Concept>) {
    groups.forEach((group, concept) => {
      for (const key of new Set(group.map(keyOf))) {
        this.concepts.set(key, [...(this.concepts.get(key) ?? []), concept])
        if (key.includes(" ")) this.phrases.add(key)
      }
    })
  }

  /** The numbers of the concepts of a stem, or of a phrase of stems; empty for most. */
  conceptsOf(stemmed: string): ReadonlyArray<number> {
    return this.concepts.get(stemmed) ?? none
  }

  /** Whether two words in a row are a phrase of a group. */
  hasPhrase(before: string, word: string): boolean {
    return this.phrases.size > 0 && this.phrases.has(`${stem(before)} ${stem(word)}`)
  }
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
