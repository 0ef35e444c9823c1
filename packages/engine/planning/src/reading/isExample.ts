/** Whether the author of a tool gave a request as an example of it, up to words without content. */
import { stem } from "./words/stem.ts"
import type { Word } from "./words/Word.ts"

const heavyStems = (words: ReadonlyArray<Word>): string =>
  words.flatMap((word) => (word.class === "function" ? [] : [stem(word.word)])).join(" ")

/** The examples of a tool, given as words, as requests are compared with them. */
export const comparedExamples = (
  examples: ReadonlyArray<ReadonlyArray<Word>>,
): ReadonlySet<string> => new Set(examples.map(heavyStems).filter((one) => one !== ""))

export const isExample = (words: ReadonlyArray<Word>, compared: ReadonlySet<string>): boolean =>
  compared.has(heavyStems(words))
