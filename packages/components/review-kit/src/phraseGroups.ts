/** Finds the phrases of several lists in one pass over the words of a text, those of each list as if it were the only one. */
import {
  foundPhrase,
  longerMatch,
  phrasesOf,
  type FoundPhrase,
  type Match,
  type Phrase,
} from "./Phrase.ts"
import { phraseIndex } from "./phraseIndex.ts"
import type { Word } from "./words.ts"

interface Member extends Phrase {
  readonly group: number
}

export const phraseGroups = (
  groups: ReadonlyArray<ReadonlyArray<string>>,
): ((words: ReadonlyArray<Word>) => ReadonlyArray<ReadonlyArray<FoundPhrase>>) => {
  const groupOf = groups.flatMap((phrases, group) => phrases.map(() => group))
  const candidates = phraseIndex(
    phrasesOf(groups.flat()).map((phrase, at): Member => ({ ...phrase, group: groupOf[at]! })),
  )
  return (words) => {
    const found: ReadonlyArray<Array<FoundPhrase>> = groups.map(() => [])
    /** The first word after the last phrase found, of each list. */
    const free = groups.map(() => 0)
    for (let first = 0; first < words.length; first++) {
      const longest = new Map<number, Match<Member>>()
      for (const one of candidates(words, first)) {
        if (first < free[one.group]!) continue
        const longer = longerMatch(words, first, one, longest.get(one.group))
        if (longer !== undefined) longest.set(one.group, longer)
      }
      for (const [group, match] of longest) {
        found[group]!.push(foundPhrase(words, first, match))
        free[group] = match.last + 1
      }
    }
    return found
  }
}
