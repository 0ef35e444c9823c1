/** Extracts a document that is wrapped as a whole: in a JSON string, a Markdown quotation or HTML entities. */
import { isJson } from "./fit/isJson.ts"

/** Decodes a document that was encoded twice, possibly with escaped brackets. */
export const decodeStringified = (text: string): string | undefined => {
  if (!/^\s*"/.test(text)) return undefined
  const inner = isJson(text) ? (JSON.parse(text) as unknown) : undefined
  return typeof inner === "string" && /^\s*[{[]/.test(inner) ? inner : undefined
}

const ENTITY = /&(?:quot|apos|amp|lt|gt|nbsp|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});/g
const named: { readonly [entity: string]: string } = {
  '""': '"',
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&nbsp;": " ",
}

export interface Unescaped {
  readonly text: string
  /** Maps an offset to the original text. */
  readonly origin: (offset: number) => number
}

/** `{""a"": ""b""}`, as in a CSV field. */
const DOUBLED = /^[^"]*[{[]\s*""[^"\s,:}\]]/

/** Whether every quote of a text is doubled. */
export const hasDoubledQuotes = (text: string): boolean => DOUBLED.test(text)

/** Decodes a text whose quotes are HTML entities, or doubled. */
export const decodeQuotes = (text: string): Unescaped | undefined => {
  const isDoubled = hasDoubledQuotes(text)
  if (!isDoubled && !/&(?:quot|#34|#x22);/i.test(text)) return undefined
  /** For each entity: the offset after it in the new text, and the length difference up to there. */
  const ends: Array<readonly [offset: number, longer: number]> = []
  let longer = 0
  const unescaped = text.replace(isDoubled ? /""/g : ENTITY, (entity, at: number) => {
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
