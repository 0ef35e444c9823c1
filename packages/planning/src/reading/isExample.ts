/** Whether the author of a tool gave a request as an example of it, up to words without content. */
import type { Tool } from "@planloom/plugin/effect"
import type { Grammar } from "./Grammar.ts"
import { stem } from "./stem.ts"
import { readWords, type Word } from "./Word.ts"

const heavyStems = (words: ReadonlyArray<Word>): string =>
  words.flatMap((word) => (word.class === "function" ? [] : [stem(word.word)])).join(" ")

export const isExample = (
  words: ReadonlyArray<Word>,
  { examples = [] }: Tool,
  grammar: Grammar,
): boolean => {
  const said = heavyStems(words)
  return said !== "" && examples.some((one) => heavyStems(readWords(one, grammar)) === said)
}
