/** A text that holds no bracket is a scalar, a list of numbers, or words. */
import { Reader } from "../read/Reader.ts"
import { More, Source } from "../read/Source.ts"
import { isContainer, type Node, scalar } from "../read/Node.ts"

export interface Whole {
  readonly reader: Reader
  readonly node: Node
  /** The text says a JSON value, not words. */
  readonly literal: boolean
  /** What stands around the fence that it was found in. */
  readonly around?: string
}

/** The text itself, as a string. */
export const readText = (text: string, start: number): Node | undefined => {
  const words = text.slice(start).trim()
  if (words === "") return undefined
  const from = text.indexOf(words, start)
  return scalar("string", words, from, from + words.length)
}

const FENCE = /^[ \t]*(```|~~~)([\w+-]*)(?:\r?\n|[ \t])/gm

/** The scalar in the only fence of a text. Where words stand around it, the fence has to say that it holds JSON. */
export const readFenced = (text: string, start: number, maxDepth: number): Whole | undefined => {
  FENCE.lastIndex = start
  const found = FENCE.exec(text)
  if (found === null) return undefined
  const mark = found[1]!
  const from = FENCE.lastIndex
  const closing = text.indexOf(mark, from)
  const end = closing < 0 ? text.length : closing
  const around = text.slice(start, found.index) + text.slice(end + mark.length)
  if (around.includes(mark) || (around.trim() !== "" && found[2] !== "json")) return undefined
  if (text.slice(from, end).trim() === "") return undefined
  const whole = readWhole(text.slice(0, end), from, maxDepth)
  return whole?.literal === true ? { ...whole, around } : undefined
}

/** `undefined` for a text without words. `final`: no more of it comes. */
export const readWhole = (
  text: string,
  start: number,
  maxDepth: number,
  final = true,
): Whole | undefined => {
  const reader = new Reader(Source.whole(text), start, maxDepth, true)
  reader.growing = !final
  try {
    reader.run()
  } catch (error) {
    if (!(error instanceof More)) throw error
  }
  const { items } = reader.root
  if (items.length === 0 || items.some(isContainer)) return undefined
  const only = items[0]!
  if (items.length === 1) {
    const isWords = reader.mends.has("unquoted_text") || reader.mends.has("dropped_text")
    if (!saysSomething(only, text)) return undefined
    // Words that end at a fence are not all that the text says.
    if (isWords && /[\p{L}\p{N}]/u.test(text.slice(only.end))) return undefined
    detach(only)
    if (!final) only.closed = false
    return { reader, node: only, literal: !isWords }
  }
  // Of words, only a list of single ones is meant as a list, and only when no more can come.
  const isList = items.every(({ kind, value }) => kind !== "string" || /^\S+$/.test(String(value)))
  if (!isList || (!final && items.some(({ kind }) => kind === "string"))) return undefined
  reader.mend("sequence", reader.root.start, reader.root)
  return { reader, node: reader.root, literal: true }
}

/** A lone mark is no value, and words with a bracket among them are a sentence about something else. */
const saysSomething = (node: Node, text: string): boolean => {
  if (node.kind !== "string") return true
  if (node.quoted) return node.closed || text.slice(node.start).trim().length > 1
  const words = String(node.value)
  return /^\/.+\/$/.test(words) || (/[\p{L}\p{N}]/u.test(words) && !/[[{]/.test(words))
}

const detach = (node: Node): void => {
  node.parent = undefined
}
