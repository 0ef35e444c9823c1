/** Phrases by their first two words: few phrases of a long list can start at a word of a text, and most words start none. */
import { fits, MAX_GAP, type Alternatives, type Phrase } from "./Phrase.ts"
import type { Word } from "./words.ts"

/** Letters of the start of a word by which phrases are found. */
const INDEXED_LETTERS = 3

/** Words whose phrases an index remembers, and the most letters of one: a longer key would hold on to the text it was cut from. */
const MAX_KNOWN = 4096
const MAX_KNOWN_LETTERS = 12

const NONE: ReadonlyArray<never> = []

/** Phrases by one of their parts. */
class PartIndex<One> {
  private readonly byWord = new Map<string, Array<One>>()
  private readonly byStart = new Map<string, Array<One>>()
  private readonly others: Array<One> = []

  insert({ starts, words }: Alternatives, one: One): void {
    if (starts.some(({ length }) => length < INDEXED_LETTERS)) {
      this.others.push(one)
      return
    }
    for (const word of words) add(this.byWord, word, one)
    for (const start of starts) add(this.byStart, start.slice(0, INDEXED_LETTERS), one)
  }

  /** Those that may have the word as this part. */
  collect(word: string, into: Array<One>): void {
    for (const one of this.byWord.get(word) ?? NONE) into.push(one)
    if (this.byStart.size > 0) {
      for (const one of this.byStart.get(word.slice(0, INDEXED_LETTERS)) ?? NONE) into.push(one)
    }
    for (const one of this.others) into.push(one)
  }
}

const add = <One>(index: Map<string, Array<One>>, key: string, one: One): void => {
  const some = index.get(key)
  if (some === undefined) index.set(key, [one])
  else if (some.at(-1) !== one) some.push(one)
}

/** The phrases that start with a word, by what follows. */
interface Node<One> {
  readonly alone: Array<One>
  readonly next: PartIndex<One>
  /** Up to three words lie between the first word and the one that counts here. */
  readonly later: PartIndex<One>
}

/** The phrases that may start with the word at `first`; one may be there twice. */
export const phraseIndex = <One extends Phrase>(
  phrases: ReadonlyArray<One>,
): ((words: ReadonlyArray<Word>, first: number) => ReadonlyArray<One>) => {
  const firsts = new PartIndex<number>()
  for (const [at, { parts }] of phrases.entries()) {
    const [part] = parts
    if (part !== undefined && part !== "gap") firsts.insert(part, at)
  }
  /** Words of a class start the same phrases. */
  const nodes = new Map<string, Node<One>>()
  const nodeFrom = (word: string): Node<One> | null => {
    const found: Array<number> = []
    firsts.collect(word, found)
    const some = [...new Set(found)].filter((at) =>
      fits(word, phrases[at]!.parts[0] as Alternatives),
    )
    if (some.length === 0) return null
    const key = some.join(" ")
    const node = nodes.get(key) ?? nodeOf(some.map((at) => phrases[at]!))
    nodes.set(key, node)
    return node
  }
  const known = new Map<string, Node<One> | null>()
  const nodeAt = (word: string): Node<One> | null => {
    const node = known.get(word)
    if (node !== undefined) return node
    const fresh = nodeFrom(word)
    if (known.size === MAX_KNOWN) known.clear()
    if (word.length <= MAX_KNOWN_LETTERS) known.set(word, fresh)
    return fresh
  }
  return (words, first) => {
    const node = nodeAt(words[first]!.word)
    if (node === null) return NONE
    const found = [...node.alone]
    for (let at = first + 1; at <= first + MAX_GAP + 1 && words[at]?.starts === false; at++) {
      const { word } = words[at]!
      if (at === first + 1) node.next.collect(word, found)
      node.later.collect(word, found)
    }
    return found
  }
}

const nodeOf = <One extends Phrase>(phrases: ReadonlyArray<One>): Node<One> => {
  const node: Node<One> = { alone: [], next: new PartIndex(), later: new PartIndex() }
  for (const one of phrases) {
    const [, second, third] = one.parts
    if (second === undefined) node.alone.push(one)
    else if (second !== "gap") node.next.insert(second, one)
    else if (third === undefined || third === "gap") node.alone.push(one)
    else node.later.insert(third, one)
  }
  return node
}
