/** Edits of text that YAML cannot read, each only if YAML then reads all of the file. */
import * as Yaml from "yaml"
import type { YAMLError } from "yaml"
import type { Edit } from "./Diagnostic.ts"
import { edit, type SourceFile } from "./SourceFile.ts"
import { yamlOptions } from "./yamlOptions.ts"

/** The value of a text; undefined where YAML finds an error. */
const readAs = (text: string): string | undefined => {
  try {
    const parsed = Yaml.parseDocument(text, yamlOptions)
    return parsed.errors.length > 0 ? undefined : JSON.stringify(parsed.toJS({ maxAliasCount: 0 }))
  } catch {
    return undefined
  }
}

const isRead = ({ text }: SourceFile, { end, start, text: instead }: Edit): boolean =>
  readAs(text.slice(0, start.offset) + instead + text.slice(end.offset)) !== undefined

const ifRead = (file: SourceFile, one: Edit): Edit | undefined =>
  isRead(file, one) ? one : undefined

/** Spaces in place of the tabs that indent, if every width that YAML can read means the same. */
export const withoutTabs = (file: SourceFile): Edit | undefined => {
  // In a block, a tab is text.
  if (/[|>][-+0-9]*[ \t]*(?:#.*)?$/m.test(file.text)) return undefined
  const texts = [2, 4, 8].map((width) =>
    file.text.replaceAll(/^[ \t]*\t[ \t]*/gm, (indent) =>
      indent.replaceAll("\t", " ".repeat(width)),
    ),
  )
  const read = texts.filter((text) => readAs(text) !== undefined)
  const [first] = read
  return first === undefined || new Set(read.map(readAs)).size > 1
    ? undefined
    : edit(file, 0, file.text.length, first)
}

/** An unquoted expression inside of brackets, in quotes that it does not hold. */
export const inQuotes = (file: SourceFile, from: number, to: number): Edit | undefined => {
  const source = file.text.slice(from, to)
  const isAll = /[:,[]\s*$/.test(file.text.slice(0, from)) && /^\s*[,}\]]/.test(file.text.slice(to))
  const quote = ['"', "'"].find((one) => !source.includes(one))
  // Other values of the file may have the same mistake, so all of it need not be readable yet.
  return isAll && quote !== undefined && !source.includes("\\")
    ? edit(file, from, to, `${quote}${source}${quote}`)
    : undefined
}

/** The plain value of a line, in quotes. */
export const quotedLine = (file: SourceFile, at: number): Edit | undefined => {
  const start = file.text.lastIndexOf("\n", at - 1) + 1
  const newline = file.text.indexOf("\n", at)
  const line = file.text.slice(start, newline < 0 ? file.text.length : newline)
  const [, before, value] = /^(\s*(?:- )?[\w-]+:\s+)([^"'[{|>&*!#\s].*?)\s*$/.exec(line) ?? []
  if (before === undefined || value === undefined || / #/.test(value)) return undefined
  const from = start + before.length
  return ifRead(file, edit(file, from, from + value.length, JSON.stringify(value)))
}

/** A text whose closing quote is missing, closed at the end of its line. */
export const closedQuote = (file: SourceFile, { message, pos }: YAMLError): Edit | undefined => {
  const [, quote] = /^Missing closing (["'])quote/.exec(message) ?? []
  if (quote === undefined) return undefined
  const open = file.text.lastIndexOf(quote, pos[0])
  const newline = file.text.indexOf("\n", open)
  const end = open + file.text.slice(open, newline < 0 ? undefined : newline).trimEnd().length
  return ifRead(file, edit(file, end, end, quote))
}
