/** The content of an HTML page as Markdown: no navigation, no scripts, and nothing is fetched. */
import { Readability } from "@mozilla/readability"
import { parseHTML } from "linkedom"
import { headingBlock, itemBlock, oneLine, paragraphBlock, tableBlock } from "./markdown.ts"

export interface HtmlText {
  readonly text: string
  /** Whether elements below others are left out because they are nested too deeply. */
  readonly isCut: boolean
}

/** Elements within elements: what is nested more deeply is left out. */
const MAX_DEPTH = 256

/** Less content than this share of the body's words is an excerpt: then the whole body is read. */
const LEAST_SHARE = 0.2

const UNREAD =
  "script, style, noscript, template, svg, math, iframe, object, form, nav, header, footer, aside, [hidden], [aria-hidden=true]"

type Node = ReturnType<typeof parseHTML>["document"]["body"]["childNodes"][number]
type Element = ReturnType<typeof parseHTML>["document"]["body"]

export const htmlText = (html: string): HtmlText => {
  const { document } = parseHTML(
    /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`,
  )
  // Readability takes the document apart.
  const copy = parseHTML(document.toString()).document
  const title = document.querySelector("h1")?.textContent ?? document.title ?? ""
  for (const element of document.querySelectorAll(UNREAD)) element.remove()
  const article = new Readability(copy as never, { maxElemsToParse: 200_000 }).parse()
  const found = article?.content ?? ""
  const body = document.body
  const content =
    wordsOf(article?.textContent ?? "") < LEAST_SHARE * wordsOf(body.textContent ?? "")
      ? body
      : parseHTML(`<html><body>${found}</body></html>`).document.body
  const writer = new MarkdownWriter()
  writer.blocks(content, 0)
  const text = writer.text()
  const name = oneLine(title)
  const hasTitle = name === "" || text.split("\n").some((line) => line.replace(/^#+ /, "") === name)
  return { text: hasTitle ? text : `# ${name}\n\n${text}`, isCut: writer.isCut }
}

const wordsOf = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0

const HEADING = /^H([1-6])$/
const BLOCKS =
  /^(?:ADDRESS|ARTICLE|BLOCKQUOTE|BODY|DD|DETAILS|DIV|DL|DT|FIELDSET|FIGCAPTION|FIGURE|H[1-6]|HR|LI|MAIN|OL|P|PRE|SECTION|SUMMARY|TABLE|TBODY|TD|TH|THEAD|TR|UL)$/

class MarkdownWriter {
  isCut = false
  private readonly parts: Array<string> = []
  private inline = ""

  text(): string {
    this.end()
    return this.parts.join("\n\n")
  }

  blocks(element: Element, depth: number): void {
    if (depth > MAX_DEPTH) {
      this.isCut = true
      return
    }
    for (const node of element.childNodes as ReadonlyArray<Node>) this.node(node, depth)
    if (BLOCKS.test(element.tagName)) this.end()
  }

  private node(node: Node, depth: number): void {
    if (node.nodeType === 3) {
      this.inline += node.textContent ?? ""
      return
    }
    if (node.nodeType !== 1) return
    const element = node as unknown as Element
    const name = element.tagName
    const level = HEADING.exec(name)?.[1]
    if (BLOCKS.test(name)) this.end()
    if (level !== undefined) this.put(headingBlock(Number(level), lineOf(element)), lineOf(element))
    else if (name === "PRE") this.code(element.textContent ?? "")
    else if (name === "TABLE" && !element.querySelector("table")) this.table(element)
    else if (name === "LI") this.item(element, depth)
    else if (name === "BR") this.inline += "\n"
    else this.blocks(element, depth + 1)
  }

  private put(block: string, words: string): void {
    if (words.trim() !== "") this.parts.push(block)
  }

  /** Ends the paragraph. */
  private end(): void {
    const lines = this.inline.split("\n").map((line) => line.replace(/\s+/g, " ").trim())
    this.inline = ""
    const text = lines.filter((line) => line !== "").join("\n")
    this.put(paragraphBlock(text), text)
  }

  private code(text: string): void {
    const fence = "`".repeat(
      Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)),
    )
    this.put(`${fence}\n${text.replace(/\n+$/, "")}\n${fence}`, text)
  }

  private item(element: Element, depth: number): void {
    const inner = new MarkdownWriter()
    inner.blocks(element, depth + 1)
    this.isCut ||= inner.isCut
    const text = inner.text()
    this.put(itemBlock(text), text)
  }

  private table(element: Element): void {
    const rows = [...element.querySelectorAll("tr")].map((row) =>
      [...row.children].map((cell) => lineOf(cell as unknown as Element)),
    )
    const filled = rows.filter((row) => row.some((cell) => cell !== ""))
    if (filled.length > 0) this.put(tableBlock(filled), filled[0]!.join(" "))
  }
}

const lineOf = (element: Element): string => oneLine(element.textContent ?? "")
