/** Splits a text into blocks, which cover it without gap and overlap. */
import type { Block, Form } from "./Block.ts"

/** Characters of a heading that its passages carry. */
const MAX_TITLE = 200

/** Longer lines are neither a table's header nor the line below it. */
const MAX_HEADER = 4000

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})(?=\s|$)/
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/
const RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

interface Line {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly line: number
  readonly page: number
}

type Opening = Pick<Block, "kind" | "level" | "title" | "lead">

export const blocksOf = (text: string, form: Form): ReadonlyArray<Block> => {
  const lines = linesOf(text)
  const blocks: Array<Block> = []
  const begin = ({ from, line, page, to }: Line, opening: Opening) =>
    blocks.push({ ...opening, from, to, line, page })
  const extend = (line: Line) => {
    const last = blocks.at(-1)
    if (last === undefined) begin(line, { kind: "paragraph" })
    else blocks[blocks.length - 1] = { ...last, to: line.to }
  }
  const read = { markdown: readMarkdown, plain: readPlain, table: readTable }[form](lines)
  let page = 1
  for (const [at, line] of lines.entries()) {
    const opening = read(line, at)
    // A block ends with its page: a passage has one page.
    if (opening !== undefined) begin(line, opening)
    else if (line.page === page) extend(line)
    else begin(line, { kind: blocks.at(-1)?.kind === "code" ? "code" : "paragraph" })
    page = line.page
  }
  return blocks
}

/** The block that begins with a line; undefined where it belongs to the block before. */
type Reader = (line: Line, at: number) => Opening | undefined

const isBlank = ({ text }: Line): boolean => text.trim() === ""

const readPlain = (): Reader => {
  let isOpen = false
  return (line) => {
    const begins = !isOpen && !isBlank(line)
    isOpen = !isBlank(line)
    return begins ? { kind: "paragraph" } : undefined
  }
}

/** A quoted value may hold line ends. */
const readTable = (): Reader => {
  let lead: string | undefined
  let isQuoted = false
  return (line) => {
    const begins = !isQuoted && !isBlank(line)
    if (line.text.split('"').length % 2 === 0) isQuoted = !isQuoted
    if (!begins) return undefined
    if (lead !== undefined) return { kind: "row", lead }
    lead = line.text.length > MAX_HEADER ? "" : line.text
    return { kind: "row" }
  }
}

const readMarkdown = (lines: ReadonlyArray<Line>): Reader => {
  const paragraphs = readPlain()
  let fence = ""
  let lead: string | undefined
  return (line, at) => {
    const { text } = line
    const marks = FENCE.exec(text)?.[1] ?? ""
    if (fence !== "") {
      const closes = marks.startsWith(fence) && text.trim() === marks
      if (closes) fence = ""
      return undefined
    }
    if (marks !== "") {
      fence = marks
      lead = undefined
      return { kind: "code" }
    }
    const level = HEADING.exec(text)?.[1]!.length
    if (level !== undefined) {
      lead = undefined
      paragraphs({ ...line, text: "" }, at)
      return { kind: "heading", level, title: titleOf(text) }
    }
    if (lead !== undefined && text.includes("|"))
      return RULE.test(text) ? undefined : { kind: "row", lead }
    const rule = lines[at + 1]?.text ?? ""
    if (isHeader(text, rule)) {
      lead = `${text}\n${rule}`
      return { kind: "row" }
    }
    const opening = paragraphs(line, at)
    lead = undefined
    return ITEM.test(text) ? { kind: "item" } : opening
  }
}

const isHeader = (text: string, rule: string): boolean =>
  text.includes("|") &&
  rule.includes("|") &&
  text.length + rule.length <= MAX_HEADER &&
  RULE.test(rule)

const titleOf = (text: string): string => {
  const words = text.trim().replace(/^#+/, "").trim()
  let end = words.length
  while (words[end - 1] === "#") end--
  // Marks at the end belong to the heading only where a space is in front of them.
  const closed = end === 0 || /\s/.test(words[end - 1]!) ? words.slice(0, end).trim() : words
  return closed.slice(0, MAX_TITLE)
}

const linesOf = (text: string): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let line = 1
  let page = 1
  for (const { 0: whole, index } of text.matchAll(/[^\n\f]*(?:[\n\f]|$)/g)) {
    if (whole === "") continue
    const to = index + whole.length
    lines.push({ text: whole.replace(/[\n\f]$/, ""), from: index, to, line, page })
    if (whole.endsWith("\n")) line++
    if (whole.endsWith("\f")) page++
  }
  return lines
}
