/** Reads XML piece by piece, without a tree: the size of a text bounds what reading it takes. */
import { Unreadable } from "./Unreadable.ts"

export type Piece =
  | { readonly type: "text"; readonly text: string }
  /** A tag by its name without prefix; an empty element is opened and closed. */
  | { readonly type: "open"; readonly name: string; readonly attributes: string }
  | { readonly type: "close"; readonly name: string }

const PIECE =
  /<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[([^]*?)\]\]>|<(\/?)([^\s<>/!?]+)((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>|([^<]+)/y

/** Fails with `Unreadable` for a text that is no XML, or has a document type: no office program writes one, and entities of one can be huge. */
export function* xmlPieces(xml: string): Generator<Piece> {
  PIECE.lastIndex = 0
  let at = xml.startsWith("\uFEFF") ? 1 : 0
  while (at < xml.length) {
    // Another reader may have used it meanwhile.
    PIECE.lastIndex = at
    const found = PIECE.exec(xml)
    if (found === null) throw new Unreadable("it is damaged")
    at = PIECE.lastIndex
    const [, data, slash, tag, attributes = "", text] = found
    if (data !== undefined) yield { type: "text", text: data }
    else if (text !== undefined) yield { type: "text", text: decoded(text) }
    else if (tag !== undefined) {
      const name = localName(tag)
      if (slash === "/") yield { type: "close", name }
      else {
        yield { type: "open", name, attributes }
        if (attributes.endsWith("/")) yield { type: "close", name }
      }
    }
  }
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/** The value of an attribute, by its name without prefix. */
export const attributeIn = (attributes: string, name: string): string | undefined => {
  for (const [, key, double, single] of attributes.matchAll(
    /([^\s=/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  ))
    if (localName(key!) === name) return decoded(double ?? single!)
  return undefined
}

const entities: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
}

const decoded = (text: string): string =>
  text.includes("&")
    ? text.replace(
        /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/g,
        (_, hex: string | undefined, decimal: string | undefined, name: string | undefined) =>
          name === undefined ? characterOf(hex, decimal) : entities[name]!,
      )
    : text

const characterOf = (hex: string | undefined, decimal: string | undefined): string => {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : "\uFFFD"
}
