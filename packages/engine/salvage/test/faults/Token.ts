/** A document as the tokens it is written with, so that single ones can be broken. */
import type { Json } from "../../src/Salvage.ts"

export interface Token {
  readonly kind: "open" | "close" | "key" | "text" | "scalar" | "colon" | "comma" | "blank"
  /** As it is written. */
  text: string
  /** A fault has happened to it: another one would not find what it looks for. */
  broken?: boolean
  /** Of a key, a text or a scalar: what it means. */
  readonly value?: Json
}

/** `lines`: one member on each line, as models mostly write. */
export const tokensOf = (value: Json, lines: boolean): Array<Token> => {
  const tokens: Array<Token> = []
  const write = (part: Json, depth: number): void => {
    if (typeof part === "string") {
      tokens.push({ kind: "text", text: JSON.stringify(part), value: part })
      return
    }
    if (typeof part !== "object" || part === null) {
      tokens.push({ kind: "scalar", text: JSON.stringify(part), value: part })
      return
    }
    const isList = Array.isArray(part)
    const feed = (indent: number, otherwise: string) =>
      tokens.push({ kind: "blank", text: lines ? `\n${"  ".repeat(indent)}` : otherwise })
    tokens.push({ kind: "open", text: isList ? "[" : "{" })
    for (const [index, [key, item]] of Object.entries(part).entries()) {
      if (index > 0) tokens.push({ kind: "comma", text: "," })
      feed(depth + 1, index > 0 ? " " : "")
      if (!isList) {
        tokens.push({ kind: "key", text: JSON.stringify(key), value: key })
        tokens.push({ kind: "colon", text: ":" }, { kind: "blank", text: " " })
      }
      write(item as Json, depth + 1)
    }
    if (Object.keys(part).length > 0) feed(depth, "")
    tokens.push({ kind: "close", text: isList ? "]" : "}" })
  }
  write(value, 0)
  return tokens
}

export const textOf = (tokens: ReadonlyArray<Token>): string =>
  tokens.map(({ text }) => text).join("")
