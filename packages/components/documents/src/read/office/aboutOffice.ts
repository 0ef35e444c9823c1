/** Title, subject, keywords and author of an office document. */
import type { Archive } from "./Archive.ts"
import { Unreadable } from "./Unreadable.ts"
import { xmlPieces } from "./xmlPieces.ts"

/** Of the Open Packaging Conventions, and of OpenDocument. */
const PARTS = ["docProps/core.xml", "meta.xml"]

const ELEMENTS: ReadonlySet<string> = new Set([
  "title",
  "subject",
  "keywords",
  "keyword",
  "creator",
])

/** Empty where they cannot be read: they are no reason to leave the document out. */
export const aboutOffice = (archive: Archive): string => {
  const found: Array<string> = []
  try {
    for (const part of PARTS) {
      let isOpen = false
      for (const piece of xmlPieces(archive.text(part) ?? "")) {
        if (piece.type !== "text") isOpen = piece.type === "open" && ELEMENTS.has(piece.name)
        else if (isOpen) found.push(piece.text.replace(/\s+/g, " ").trim())
      }
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
  }
  return found.join(" ").trim()
}
