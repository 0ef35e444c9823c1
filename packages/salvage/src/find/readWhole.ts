/** A text that holds no bracket is a scalar, a list of numbers, or words. */
import { Reader } from "../read/Reader.ts"
import { More, Source } from "../read/Source.ts"
import { isContainer, type Node, scalar } from "../read/Node.ts"

export interface Whole {
  readonly reader: Reader
  readonly node: Node
  /** The text says a JSON value, not words. */
  readonly literal: boolean
}

/** The text itself, as a string. */
export const readText = (text: string, start: number): Node | undefined => {
  const words = text.slice(start).trim()
  if (words === "") return undefined
  const from = text.indexOf(words, start)
  return scalar("string", words, from, from + words.length)
}

const FENCE = /\s*(```|~~~)[\w+-]*(?:\r?\n|[ \t])/y

/** A text that is one fence with a scalar in it. */
export const readFenced = (text: string, start: number, maxDepth: number): Whole | undefined => {
  FENCE.lastIndex = start
  const mark = FENCE.exec(text)?.[1]
  if (mark === undefined) return undefined
  const from = FENCE.lastIndex
  const body = text.slice(0, text.trimEnd().length)
  const inside = body.endsWith(mark) ? body.slice(0, -mark.length) : body
  if (inside.length <= from || inside.includes(mark, from)) return undefined
  const whole = readWhole(inside, from, maxDepth)
  return whole?.literal === true ? whole : undefined
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
