/** The outline of an OpenDocument text or presentation. */
import type { Archive } from "./Archive.ts"
import { Outline } from "./Outline.ts"
import { Unreadable } from "./Unreadable.ts"
import { attributeIn, xmlPieces, type Piece } from "./xmlPieces.ts"

/** Deleted text, comments, and what a page has besides its content. */
const SKIPPED = ["tracked-changes", "annotation", "notes", "note-citation", "forms"]

/** Most columns that a cell stands for. */
const MAX_COLUMNS = 64

/** OpenDocument 1.3, part 3, sections 4, 5, 9 and 10. */
export const odfOutline = (archive: Archive): Outline => {
  if (archive.text("META-INF/manifest.xml")?.includes("encryption-data") === true)
    throw new Unreadable("it is encrypted")
  const outline = new Outline()
  let isBody = false
  let skipped = 0
  const reader = new OdfReader(outline)
  for (const piece of xmlPieces(archive.needed("content.xml"))) {
    if (piece.type !== "text" && piece.name === "body") isBody = piece.type === "open"
    else if (!isBody) continue
    else if (skipped > 0) {
      if (piece.type !== "text") skipped += piece.type === "open" ? 1 : -1
    } else if (piece.type === "open" && SKIPPED.includes(piece.name)) skipped = 1
    else reader.read(piece)
  }
  return outline
}

class OdfReader {
  private readonly outline: Outline
  private items = 0
  private pages = 0
  private isTitle = false
  private columns = 1

  constructor(outline: Outline) {
    this.outline = outline
  }

  read(piece: Piece): void {
    // Line ends of the file are white space.
    if (piece.type === "text") this.outline.add(piece.text.replace(/\s+/g, " "))
    else if (piece.type === "open") this.open(piece.name, piece.attributes)
    else this.close(piece.name)
  }

  private open(name: string, attributes: string): void {
    const { outline } = this
    const number = (attribute: string) => Number(attributeIn(attributes, attribute)) || 1
    if (name === "h") outline.beginParagraph(number("outline-level"))
    else if (name === "p")
      outline.beginParagraph(this.isTitle ? 2 : this.items > 0 ? "item" : "paragraph")
    else if (name === "s") outline.add(" ")
    else if (name === "tab") outline.add(" ")
    else if (name === "line-break") outline.add("\n")
    else if (name === "list-item") this.items++
    else if (name === "table") outline.beginTable()
    else if (name === "table-row") outline.beginRow()
    else if (name === "table-cell" || name === "covered-table-cell")
      this.columns = Math.min(MAX_COLUMNS, number("number-columns-repeated"))
    else if (name === "page" && this.pages++ > 0) outline.nextPage()
    else if (name === "frame") this.isTitle = attributeIn(attributes, "class") === "title"
  }

  private close(name: string): void {
    const { outline } = this
    if (name === "h" || name === "p") outline.endParagraph()
    else if (name === "list-item") this.items--
    else if (name === "table") outline.endTable()
    else if (name === "table-cell" || name === "covered-table-cell") outline.endCell(this.columns)
    else if (name === "frame") this.isTitle = false
  }
}
