/** The grammar of a language, by its tag. */
import { english } from "./english.ts"
import type { Grammar } from "./Grammar.ts"
import { spanish } from "./spanish.ts"

const grammars: ReadonlyArray<Grammar> = [english, spanish]

/** English for a language without a grammar. */
export const grammarOf = (language: string): Grammar => {
  const primary = language.toLowerCase().split(/[-_]/)[0]
  return grammars.find((one) => one.language === primary) ?? english
}
