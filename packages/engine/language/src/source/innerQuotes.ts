/** Quotes of an expression that end the YAML value around it: `"${{ inputs.a == "x" }}"`. */
import type { Diagnostic } from "./Diagnostic.ts"
import { edit, positionAt, type SourceFile } from "./SourceFile.ts"

/** A quoted value on the line of an error that ends inside of an expression, with the value to write. */
export const innerQuotes = (file: SourceFile, offset: number): Diagnostic | undefined => {
  const { text } = file
  const from = text.lastIndexOf("\n", offset - 1) + 1
  const newline = text.indexOf("\n", offset)
  const line = text.slice(from, newline < 0 ? text.length : newline)
  for (const value of valuesOn(line)) {
    const { end, quote, start } = value
    const content = line.slice(start + 1, end)
    const at = expressionsIn(content).find(({ source }) => source.includes(quote))
    if (at === undefined) continue
    const first = start + 1 + at.from + at.source.indexOf(quote)
    return {
      code: "PL0003",
      severity: "error",
      message: `this ${quote} ends the value inside of its expression`,
      file: file.path,
      start: positionAt(file, from + first),
      end: positionAt(file, from + first + 1),
      help: `write ${requoted(content, quote)}`,
      ...requotedFix(file, from + start, from + end + 1, content, quote),
    }
  }
  return undefined
}

interface QuotedValue {
  readonly quote: string
  readonly start: number
  /** Offset of the quote that was meant as the last one. */
  readonly end: number
}

/** Values in quotes that hold an expression, up to the first quote behind the last `}}` that belongs to them. */
const valuesOn = (line: string): ReadonlyArray<QuotedValue> => {
  const found: Array<QuotedValue> = []
  const opening = /(?<=[:,[{-]\s*)(["'])[^"']*\$\{\{/g
  for (const { 1: quote, index } of line.matchAll(opening)) {
    const last = found.at(-1)
    if (last !== undefined && index < last.end) continue
    const close = new RegExp(`\\}\\}[^"'{}]*${quote!}(?=\\s*(?:[,}\\]#]|$))`, "g")
    close.lastIndex = index
    const match = close.exec(line)
    if (match === null) continue
    found.push({ quote: quote!, start: index, end: match.index + match[0].length - 1 })
  }
  return found
}

const expressionsIn = (
  content: string,
): ReadonlyArray<{ readonly from: number; readonly source: string }> =>
  [...content.matchAll(/\$\{\{(.*?)\}\}/g)].map(({ 1: source, index }) => ({
    from: index + 3,
    source: source!,
  }))

/** The value in the same quotes, with the other ones in its expressions; undefined where these are taken, too. */
const otherQuotes = (content: string, quote: string): string | undefined => {
  const other = quote === '"' ? "'" : '"'
  if (expressionsIn(content).some(({ source }) => source.includes(other))) return undefined
  return `${quote}${content.replaceAll(/\$\{\{.*?\}\}/g, (one) => one.replaceAll(quote, other))}${quote}`
}

const requotedFix = (
  file: SourceFile,
  from: number,
  to: number,
  content: string,
  quote: string,
): Pick<Diagnostic, "fix"> => {
  const text = otherQuotes(content, quote)
  // Text around its expressions may have ended the value itself.
  const isClear = !content.replaceAll(/\$\{\{.*?\}\}/g, "").includes(quote)
  return text === undefined || !isClear ? {} : { fix: edit(file, from, to, text) }
}

/** The value in the same quotes, or as a block. */
const requoted = (content: string, quote: string): string => {
  const quoted = otherQuotes(content, quote)
  if (quoted !== undefined) return quoted
  return `the value as a block, below its key: >- and on the next line ${content}`
}
