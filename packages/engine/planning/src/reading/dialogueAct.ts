/** Messages that ask for nothing new: a yes, a no, thanks, a greeting, "continue". */
import { dialogueActs, type DialogueAct, type Grammar } from "./words/Grammar.ts"
import { readWords } from "./words/Word.ts"

interface Phrases {
  readonly acts: ReadonlyMap<string, DialogueAct>
  /** Words of the longest phrase. */
  readonly longest: number
}

const known = new WeakMap<Grammar, Phrases>()

const phrasesOf = (grammar: Grammar): Phrases => {
  const before = known.get(grammar)
  if (before !== undefined) return before
  const acts = new Map(
    dialogueActs
      .toReversed()
      .flatMap((act) => grammar.acts[act].map((phrase) => [phrase, act] as const)),
  )
  const longest = Math.max(...[...acts.keys()].map((phrase) => phrase.split(" ").length))
  const phrases = { acts, longest }
  known.set(grammar, phrases)
  return phrases
}

/** The act that a message is as a whole, words without content aside; undefined if it has any other word. */
export const dialogueAct = (text: string, grammar: Grammar): DialogueAct | undefined => {
  const { acts, longest } = phrasesOf(grammar)
  const words = readWords(text, grammar)
  const found = new Set<DialogueAct>()
  for (let at = 0; at < words.length;) {
    const lengths = Array.from(
      { length: Math.min(longest, words.length - at) },
      (_, index) => index,
    )
    const length = lengths
      .map((index) => lengths.length - index)
      .find((count) => acts.has(phraseAt(words, at, count)))
    if (length !== undefined) found.add(acts.get(phraseAt(words, at, length))!)
    else if (words[at]!.class !== "function") return undefined
    at += length ?? 1
  }
  return dialogueActs.find((act) => found.has(act))
}

const phraseAt = (words: ReturnType<typeof readWords>, at: number, count: number): string =>
  words
    .slice(at, at + count)
    .map(({ word }) => word)
    .join(" ")

/** The message behind the words that only lead in: "wait, what is my limit?". */
export const withoutInterjections = (text: string, grammar: Grammar): string => {
  const [, lead, rest] = /^\s*([\p{L}' ]+?)\s*[,!.…;–—]+\s*(\S.*)$/su.exec(text) ?? []
  return lead !== undefined && grammar.interjections.includes(lead.toLowerCase())
    ? withoutInterjections(rest!, grammar)
    : text
}

/** The message behind the words of a correction: "no, make it 25". */
export const withoutAmends = (text: string, grammar: Grammar): string => {
  const lead = grammar.amends
    .filter((phrase) => text.toLowerCase().trimStart().startsWith(phrase))
    .toSorted((left, right) => right.length - left.length)[0]
  if (lead === undefined) return text
  const rest = text.trimStart().slice(lead.length)
  return /^[\p{L}\p{N}'’]/u.test(rest)
    ? text
    : withoutAmends(rest.replace(/^[\s,.:;!¡¿—–-]+/u, ""), grammar)
}

/** The text between words that join wishes. */
export const clausesOf = (text: string, { conjunctions }: Grammar): ReadonlyArray<string> =>
  text
    .split(
      new RegExp(
        `\\s*(?:[,;]\\s*)?(?<![\\p{L}\\p{N}])(?:${conjunctions.join("|")})(?![\\p{L}\\p{N}])\\s*|\\s*[,;]\\s+|[?!]\\s+(?=\\S)`,
        "iu",
      ),
    )
    .filter((part) => part.trim() !== "")
