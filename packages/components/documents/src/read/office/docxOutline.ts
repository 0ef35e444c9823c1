/** The outline of a Word document: its styles say which paragraphs are headings. */
import type { Archive } from "./Archive.ts"
import { Outline } from "./Outline.ts"
import { attributeIn, xmlPieces } from "./xmlPieces.ts"

const NOTES = ["word/footnotes.xml", "word/endnotes.xml"]

/** ECMA-376, part 1, section 17. What is deleted, hidden or an alternative is left out. */
export const docxOutline = (archive: Archive): Outline => {
  const outline = new Outline()
  const levels = levelsOf(archive.text("word/styles.xml") ?? "")
  readPart(archive.needed("word/document.xml"), levels, outline)
  for (const name of NOTES) readPart(archive.text(name) ?? "", levels, outline)
  return outline
}

/** The place of the reader within a part. */
interface State {
  /** Elements within an alternative that is not read. */
  skipped: number
  isRun: boolean
  isText: boolean
  isHidden: boolean
  /** Of the cell that is open. */
  columns: number
}

type Levels = ReadonlyMap<string, number>

const readPart = (xml: string, levels: Levels, outline: Outline): void => {
  const state: State = { skipped: 0, isRun: false, isText: false, isHidden: false, columns: 1 }
  for (const piece of xmlPieces(xml)) {
    if (piece.type === "text") {
      if (state.isText && !state.isHidden) outline.add(piece.text)
    } else if (state.skipped > 0) state.skipped += piece.type === "open" ? 1 : -1
    else if (piece.type === "open") begin(piece.name, piece.attributes, state, levels, outline)
    else end(piece.name, state, outline)
  }
}

const begin = (
  name: string,
  attributes: string,
  state: State,
  levels: Levels,
  outline: Outline,
): void => {
  const value = () => attributeIn(attributes, "val")
  if (name === "Fallback") state.skipped = 1
  else if (name === "p") outline.beginParagraph()
  else if (name === "tbl") outline.beginTable()
  else if (name === "tr") outline.beginRow()
  else if (name === "tc") state.columns = 1
  else if (name === "gridSpan") state.columns = Math.min(64, Math.max(1, Number(value()) || 1))
  else if (name === "pStyle") outline.setRole(levels.get(value() ?? "") ?? "paragraph")
  else if (name === "outlineLvl" && Number(value()) < 9) outline.setRole(Number(value()) + 1)
  else if (name === "numPr") outline.setRole("item")
  else if (name === "r") {
    state.isRun = true
    state.isHidden = false
  } else if (!state.isRun) return
  else if (name === "vanish") state.isHidden = !/^(?:0|false|off)$/.test(value() ?? "")
  else if (name === "t") state.isText = true
  else if (name === "tab") outline.add(" ")
  else if (name === "br" || name === "cr") outline.add("\n")
  else if (name === "noBreakHyphen") outline.add("-")
}

const end = (name: string, state: State, outline: Outline): void => {
  if (name === "t") state.isText = false
  else if (name === "r") state.isRun = false
  else if (name === "p") outline.endParagraph()
  else if (name === "tc") outline.endCell(state.columns)
  else if (name === "tbl") outline.endTable()
}

/** Levels of headings by the ids of their styles; a style has the level of the one that it is based on. */
const levelsOf = (xml: string): Levels => {
  const own = new Map<string, { level?: number; base?: string }>()
  let style: { level?: number; base?: string } = {}
  for (const piece of xmlPieces(xml)) {
    if (piece.type !== "open") continue
    const value = attributeIn(piece.attributes, "val") ?? ""
    if (piece.name === "style") {
      style = {}
      own.set(attributeIn(piece.attributes, "styleId") ?? "", style)
    } else if (piece.name === "name") {
      const level = /^heading ([1-9])$/i.exec(value)?.[1] ?? (/^title$/i.test(value) ? "1" : "")
      if (level !== "") style.level ??= Number(level)
    } else if (piece.name === "basedOn") style.base = value
    else if (piece.name === "outlineLvl" && Number(value) < 9) style.level = Number(value) + 1
  }
  const levelOf = (id: string, seen: ReadonlySet<string>): number | undefined => {
    const found = own.get(id)
    if (found === undefined || seen.has(id) || seen.size > 20) return undefined
    return found.level ?? levelOf(found.base ?? "", new Set([...seen, id]))
  }
  return new Map(
    [...own.keys()].flatMap((id) => {
      const level = levelOf(id, new Set())
      return level === undefined ? [] : [[id, level] as const]
    }),
  )
}
