/** Writes what a document is made of as Markdown: headings, paragraphs, items and tables, by pages. */
import { headingBlock, itemBlock, oneLine, paragraphBlock, tableBlock } from "../markdown.ts"

/** The role of a paragraph; a number is the level of a heading. */
export type Role = "paragraph" | "item" | number

interface OpenTable {
  readonly rows: Array<Array<string>>
  readonly cell: Array<string>
}

export class Outline {
  private readonly pages: Array<Array<string>> = [[]]
  private readonly paragraphs: Array<{ text: string; role: Role }> = []
  private readonly tables: Array<OpenTable> = []

  beginParagraph(role: Role = "paragraph"): void {
    this.paragraphs.push({ text: "", role })
  }

  /** Gives the paragraph that is open a role; a heading is no item. */
  setRole(role: Role): void {
    const open = this.paragraphs.at(-1)
    if (open !== undefined && (role !== "item" || open.role === "paragraph")) open.role = role
  }

  /** Adds to the paragraph that is open; text outside of one is no content. */
  add(text: string): void {
    const open = this.paragraphs.at(-1)
    if (open !== undefined) open.text += text
  }

  endParagraph(): void {
    const ended = this.paragraphs.pop()
    if (ended === undefined) return
    const lines = ended.text.split("\n").map(oneLine)
    const text = lines.filter((line) => line !== "").join("\n")
    const table = this.tables.at(-1)
    if (text === "") return
    if (table === undefined) this.put(blockOf(ended.role, text))
    else table.cell.push(oneLine(text))
  }

  beginTable(): void {
    this.tables.push({ rows: [], cell: [] })
  }

  beginRow(): void {
    this.tables.at(-1)?.rows.push([])
  }

  /** Ends a cell of so many columns. */
  endCell(columns = 1): void {
    const table = this.tables.at(-1)
    const text = table?.cell.splice(0).join(" ") ?? ""
    table?.rows.at(-1)?.push(text, ...Array.from({ length: columns - 1 }, () => ""))
  }

  endTable(): void {
    const table = this.tables.pop()
    const filled = (table?.rows ?? []).filter((row) => row.some((cell) => cell !== ""))
    const columns = Math.max(
      0,
      ...filled.map((row) => row.findLastIndex((cell) => cell !== "") + 1),
    )
    const rows = filled.map((row) => row.slice(0, columns))
    const around = this.tables.at(-1)
    if (rows.length === 0) return
    // A table within a cell, and a frame around texts, are no tables of their own.
    if (around !== undefined) around.cell.push(...rows.flat().filter((cell) => cell !== ""))
    else if (rows.every((row) => row.length === 1))
      for (const [cell] of rows) this.put(paragraphBlock(cell!))
    else this.put(tableBlock(rows))
  }

  table(rows: ReadonlyArray<ReadonlyArray<string>>): void {
    this.put(tableBlock(rows))
  }

  heading(level: number, title: string): void {
    this.put(headingBlock(level, oneLine(title)))
  }

  nextPage(): void {
    this.pages.push([])
  }

  /** Pages end with form feeds. */
  text(): string {
    return this.pages.map((blocks) => blocks.join("\n\n")).join("\n\f")
  }

  private put(block: string): void {
    this.pages.at(-1)!.push(block)
  }
}

const blockOf = (role: Role, text: string): string =>
  typeof role === "number"
    ? headingBlock(role, oneLine(text))
    : role === "item"
      ? itemBlock(text)
      : paragraphBlock(text)
