/** Changes of a question with a known effect: a word that means something, or one that means nothing. Seeded. */
import { createHash } from "node:crypto"

export interface Change {
  readonly kind: string
  readonly text: string
  /** The words that were inserted; none when a function word was removed. */
  readonly added?: string
}

const nouns = ["lighthouse", "mortgage", "tractor", "orchestra", "umbrella"]
const adjectives = ["reluctant", "wooden", "married", "imported", "overdue"]
const exceptions = ["unless it was snowing", "unless they were insured", "except for the veterans"]
const functionWords = new Set("a an the there is are was were do does did please of".split(" "))

/** A whole number below `below` that depends on the seed and the text only. */
const pick = (seed: number, text: string, below: number) =>
  createHash("sha256").update(`${seed} ${text}`).digest().readUInt32BE() % below

const inserted = (question: string, at: number, word: string) =>
  question.split(" ").toSpliced(at, 0, word).join(" ")

const appended = (question: string, words: string) => {
  const [, body, mark] = /^(.*?)(\??)$/s.exec(question)!
  return `${body} ${words}${mark}`
}

/** One insertion of a meaning and, where there is one, one removal of a function word. */
export const changesOf = (question: string, seed: number): ReadonlyArray<Change> => {
  const words = question.split(" ")
  const one = (list: ReadonlyArray<string>) => list[pick(seed, `${question} word`, list.length)]!
  const place = 1 + pick(seed, `${question} place`, words.length - 1)
  const additions: ReadonlyArray<Change> = [
    { kind: "noun", added: one(nouns), text: appended(question, `of the ${one(nouns)}`) },
    { kind: "adjective", added: one(adjectives), text: inserted(question, place, one(adjectives)) },
    { kind: "exception", added: one(exceptions), text: appended(question, one(exceptions)) },
    { kind: "negation", added: "don't", text: `don't tell me: ${question}` },
    { kind: "every other", added: "every other", text: appended(question, "for every other row") },
    { kind: "past", added: "asked", text: `my boss asked yesterday: ${question}` },
  ]
  const removable = words.flatMap((word, at) =>
    at > 0 && functionWords.has(word.toLowerCase()) ? [at] : [],
  )
  const removed = removable[pick(seed, `${question} removed`, Math.max(1, removable.length))]
  return [
    additions[pick(seed, `${question} kind`, additions.length)]!,
    ...(removed === undefined
      ? []
      : [{ kind: "function word", text: words.toSpliced(removed, 1).join(" ") }]),
  ]
}
