/** The parts of a sentence that may each be a wish of their own: "turn off wifi and open the gallery". */
import { plainly, wordsOf } from "./words.ts"

/** Those of more than one word. */
export const wishes = (text: string): ReadonlyArray<string> =>
  clauses(text).filter((part) => wordsOf(part).length > 1)

export const clauses = (text: string): ReadonlyArray<string> =>
  plainly(text)
    .split(/\s*(?:,?\s+and then\s+|,?\s+then\s+|,?\s+and\s+|[;,]\s*|\.\s+)/i)
    .filter(
      (part) => wordsOf(part).length > 0 && !/^(?:please|pls|thanks?|thank you)\W*$/i.test(part),
    )
