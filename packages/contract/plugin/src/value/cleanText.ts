/** Texts from outside as people and models may read them: without control, bidirectional and invisible characters. */
import { stripVTControlCharacters } from "node:util"

/** Characters that are invisible or change how a text is shown. Tabs, line breaks and the joiners of scripts stay. */
const unseen =
  /[[\p{Cc}\p{Cf}\u{E0000}-\u{E0FFF}]--[\t\n\r\u0600-\u0605\u06DD\u070F\u08E2\u200C\u200D]]/gv

/** Most texts have nothing else, and stay the same values. */
const plain = /^[\t\n\r -~]*$/

const CUT = "…"

/** Without `most` the text keeps its length. */
export const cleanText = (text: string, most = Number.POSITIVE_INFINITY): string => {
  // The characters beyond twice the limit cannot be in the result, unless nearly all before them are invisible.
  const part = text.slice(0, most * 2).toWellFormed()
  const seen = plain.test(part) ? part : stripVTControlCharacters(part).replace(unseen, "")
  return seen.length > most ? `${seen.slice(0, most - 1).toWellFormed()}${CUT}` : seen
}

/** In one line. */
export const cleanLine = (text: string, most: number): string =>
  cleanText(text.slice(0, most * 4).replace(/\s+/g, " "), most).trim()

/** Whether a name has only characters that are seen as they are. */
export const isClean = (name: string): boolean => cleanText(name) === name
