/** The outline of a presentation: a page for each slide, with its title as the heading. */
import type { Archive } from "./Archive.ts"
import { Outline } from "./Outline.ts"
import { attributeIn, xmlPieces } from "./xmlPieces.ts"

const TITLES = ["title", "ctrTitle"]

/** Fields that stand on each slide: its number, the date, a footer. */
const REPEATED = ["sldNum", "dt", "ftr"]

/** ECMA-376, part 1, sections 19 and 21. */
export const pptxOutline = (archive: Archive): Outline => {
  const outline = new Outline()
  for (const [at, name] of slidesOf(archive).entries()) {
    if (at > 0) outline.nextPage()
    readSlide(archive.text(name) ?? "", outline)
  }
  return outline
}

/** Slides in their order. */
const slidesOf = (archive: Archive): ReadonlyArray<string> => {
  const targets = new Map<string, string>()
  for (const piece of xmlPieces(archive.text("ppt/_rels/presentation.xml.rels") ?? ""))
    if (piece.type === "open" && piece.name === "Relationship") {
      const target = attributeIn(piece.attributes, "Target") ?? ""
      const path = target.startsWith("/") ? target.slice(1) : `ppt/${target}`
      targets.set(attributeIn(piece.attributes, "Id") ?? "", path)
    }
  const slides: Array<string> = []
  for (const piece of xmlPieces(archive.needed("ppt/presentation.xml")))
    if (piece.type === "open" && piece.name === "sldId") {
      // Beside `r:id` it has an `id` that is a number.
      const [, id] = /\s\w+:id\s*=\s*["']([^"']*)["']/.exec(piece.attributes) ?? []
      const path = targets.get(id ?? "")
      if (path !== undefined) slides.push(path)
    }
  return slides
}

const readSlide = (xml: string, outline: Outline): void => {
  let isTitle = false
  let isRepeated = false
  let isText = false
  for (const piece of xmlPieces(xml)) {
    if (piece.type === "text") {
      if (isText && !isRepeated) outline.add(piece.text)
      continue
    }
    const { name } = piece
    if (piece.type === "open") {
      if (name === "sp" || name === "graphicFrame") isTitle = isRepeated = false
      else if (name === "ph") {
        const type = attributeIn(piece.attributes, "type") ?? ""
        isTitle = TITLES.includes(type)
        isRepeated = REPEATED.includes(type)
      } else if (name === "p") outline.beginParagraph(isTitle ? 2 : "paragraph")
      else if (name === "t") isText = true
      else if (name === "br") outline.add("\n")
      else if (name === "tbl") outline.beginTable()
      else if (name === "tr") outline.beginRow()
    } else if (name === "t") isText = false
    else if (name === "p") outline.endParagraph()
    else if (name === "tc") outline.endCell()
    else if (name === "tbl") outline.endTable()
  }
}
