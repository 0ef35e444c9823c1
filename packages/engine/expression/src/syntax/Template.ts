/** Parses text with `${{ }}` into its parts. */

export type TemplatePart =
  | { readonly type: "text"; readonly text: string }
  /** `from` is the offset of `source` in the whole text. */
  | {
      readonly type: "expression"
      readonly source: string
      readonly from: number
      readonly to: number
    }

export interface Template {
  readonly parts: ReadonlyArray<TemplatePart>
  /** The offset of a `${{` without a closing `}}`. */
  readonly unclosed: number | undefined
}

/** `$${{` stands for the literal `${{`. */
export const parseTemplate = (text: string): Template => {
  const parts: Array<TemplatePart> = []
  let literal = ""
  let at = 0
  const flush = (): void => {
    if (literal !== "") parts.push({ type: "text", text: literal })
    literal = ""
  }
  for (;;) {
    const open = text.indexOf("${{", at)
    if (open === -1) break
    if (open > at && text[open - 1] === "$") {
      literal += `${text.slice(at, open - 1)}\${{`
      at = open + 3
      continue
    }
    const close = closingOffset(text, open + 3)
    if (close === undefined) {
      literal += text.slice(at)
      flush()
      return { parts, unclosed: open }
    }
    literal += text.slice(at, open)
    flush()
    parts.push({
      type: "expression",
      source: text.slice(open + 3, close),
      from: open + 3,
      to: close,
    })
    at = close + 2
  }
  literal += text.slice(at)
  flush()
  return { parts, unclosed: undefined }
}

/** The offset of the `}}` that closes an expression, outside of quotes and nested mappings. */
const closingOffset = (text: string, start: number): number | undefined => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]!
    if (character === '"' || character === "'") {
      const end = endOfString(text, at, character)
      if (end === undefined)
        return text.indexOf("}}", start) === -1 ? undefined : text.indexOf("}}", start)
      at = end
    } else if (character === "{") depth++
    else if (character === "}") {
      if (depth === 0 && text[at + 1] === "}") return at
      depth = Math.max(0, depth - 1)
    }
  }
  return undefined
}

const endOfString = (text: string, start: number, quote: string): number | undefined => {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === quote) return at
  }
  return undefined
}
