/** A document that stands, as a whole, in another notation: as a string, or as text of a page. */
import { isJson } from "./fit/isJson.ts"
import { unescapeOnce } from "./read/decode.ts"

/** The document in a string: encoded once more than it should be, perhaps with its brackets escaped. */
export const inString = (text: string): string | undefined => {
  if (!/^\s*"/.test(text)) return undefined
  const inner = isJson(text) ? (JSON.parse(text) as unknown) : withEscapedBrackets(text.trim())
  return typeof inner === "string" && /^\s*[{[]/.test(inner) ? inner : undefined
}

const withEscapedBrackets = (text: string): string | undefined => {
  if (!/^"\s*\\[{[]/.test(text) || !text.endsWith('"')) return undefined
  const body = text.slice(1, -1)
  return unescapeOnce(
    body.replace(/\\([\s\S])/g, (escape, char: string) => ("{}[]".includes(char) ? char : escape)),
  )
}

const ENTITY = /&(?:quot|apos|amp|lt|gt|nbsp|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});/g
const named: { readonly [entity: string]: string } = {
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&nbsp;": " ",
}

export interface Unescaped {
  readonly text: string
  /** Where what stands at an offset of it stood before. */
  readonly origin: (offset: number) => number
}

/** Markdown's quotation of a document, without its marks; what follows them stays where it was. */
export const ofQuotation = (text: string): string | undefined =>
  /^[ \t>]*>[ \t]*[{[]/m.test(text)
    ? text.replace(/^[ \t>]*>/gm, (marks) => " ".repeat(marks.length))
    : undefined

/** A text whose quotes are HTML's entities. */
export const ofEntities = (text: string): Unescaped | undefined => {
  if (!/&(?:quot|#34|#x22);/i.test(text)) return undefined
  /** Offsets after each entity, in the new text, and how much longer the old one was up to there. */
  const ends: Array<readonly [offset: number, longer: number]> = []
  let longer = 0
  const unescaped = text.replace(ENTITY, (entity, at: number) => {
    const point = /^&#[xX]/.test(entity)
      ? Number.parseInt(entity.slice(3), 16)
      : Number.parseInt(entity.slice(2), 10)
    const char =
      named[entity] ?? (point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : entity)
    const offset = at - longer + char.length
    longer += entity.length - char.length
    ends.push([offset, longer])
    return char
  })
  const origin = (offset: number) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]![0] <= offset) low = middle + 1
      else high = middle
    }
    return offset + (ends[low - 1]?.[1] ?? 0)
  }
  return { text: unescaped, origin }
}
