/** Reads a text without brackets as a scalar, a list of scalars, or words. */
import { Reader } from "../read/Reader.ts"
import { NeedMoreText, Source } from "../read/Source.ts"
import { isContainer, type Node, scalar } from "../read/Node.ts"
import type { Limits } from "../Task.ts"

export interface Whole {
  readonly reader: Reader
  readonly node: Node
  /** The text is a JSON value, not words. */
  readonly literal: boolean
  /** Text around the fence of the value. */
  readonly around?: string
}

/** The text itself, as a string. */
export const readText = (text: string, start: number): Node | undefined => {
  const words = text.slice(start).trim()
  // A quote alone begins a text.
  if (words === "" || words === '"') return undefined
  const from = text.indexOf(words, start)
  return scalar("string", words, from, from + words.length)
}

const MARK = /^[ \t]*(```|~~~)([\w+-]*)(?:\r?\n|[ \t])|<(\w+)>/gm

/**
 * Reads the scalar in the only fence or tag of a text. `isCertain`: it is the answer even if the text as a whole would fit, because
 * it is quoted, tagged `json`, or has no words around it.
 */
export const readMarked = (
  text: string,
  start: number,
  limits: Limits,
): (Whole & { readonly isCertain: boolean }) | undefined => {
  MARK.lastIndex = start
  const found = MARK.exec(text)
  if (found === null) return undefined
  const [, fence, language, tag] = found
  const mark = fence ?? `</${tag}>`
  const from = MARK.lastIndex
  const closing = text.indexOf(mark, from)
  const end = closing < 0 ? text.length : closing
  const around = text.slice(start, found.index) + text.slice(end + mark.length)
  if (around.includes(mark) || text.slice(from, end).trim() === "") return undefined
  const whole = readWhole(text.slice(0, end), from, limits)
  if (whole?.literal !== true || isContainer(whole.node)) return undefined
  const isCertain = language === "json" || around.trim() === "" || whole.node.quoted
  return { ...whole, around, isCertain }
}

/** Returns `undefined` for a text without words. `final`: the text is complete. */
export const readWhole = (
  text: string,
  start: number,
  limits: Limits,
  final = true,
): Whole | undefined => {
  const reader = new Reader(Source.whole(text, limits), start, true)
  reader.growing = !final
  try {
    reader.run()
  } catch (error) {
    if (!(error instanceof NeedMoreText)) throw error
  }
  const { items } = reader.root
  if (items.length === 0 || items.some(isContainer)) return undefined
  const only = items[0]!
  if (items.length === 1) {
    const isWords = reader.repairs.has("unquoted_text") || reader.repairs.has("dropped_text")
    if (!hasContent(only, text)) return undefined
    // Words before a fence are only part of the text.
    if (isWords && /[\p{L}\p{N}]/u.test(text.slice(only.end))) return undefined
    detach(only)
    if (!final) only.closed = false
    return { reader, node: only, literal: !isWords }
  }
  // Words are a list only if each item is one word and the text is complete.
  const isList = items.every(({ kind, value }) => kind !== "string" || /^\S+$/.test(String(value)))
  if (!isList || (!final && items.some(({ kind }) => kind === "string"))) return undefined
  reader.repair("sequence", reader.root.start, reader.root)
  return { reader, node: reader.root, literal: true }
}

/** Rejects a lone punctuation mark, and words with brackets among them: a sentence. */
const hasContent = (node: Node, text: string): boolean => {
  if (node.kind !== "string") return true
  if (node.quoted) return node.closed || text.slice(node.start).trim().length > 1
  const words = String(node.value)
  return /^\/.+\/$/.test(words) || (/[\p{L}\p{N}]/u.test(words) && !/[[{]/.test(words))
}

const detach = (node: Node): void => {
  node.parent = undefined
}
