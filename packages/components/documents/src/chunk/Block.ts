/** A piece of a text that its structure keeps together: a heading, a paragraph, a list item, a table row, a block of code. */
export interface Block {
  readonly kind: "heading" | "paragraph" | "item" | "row" | "code"
  /** Characters of the text, the end excluded. Blank lines belong to the block before them. */
  readonly from: number
  readonly to: number
  /** Lines from 1. */
  readonly line: number
  /** Pages from 1; they end at form feeds. */
  readonly page: number
  /** From 1 to 6, of a heading. */
  readonly level?: number
  /** The words of a heading. */
  readonly title?: string
  /** The header of the table that a row belongs to, unless the row is the header. */
  readonly lead?: string
}

/** The structure of a text: `plain` has paragraphs alone, each row of a `table` is a line. */
export type Form = "markdown" | "plain" | "table"
