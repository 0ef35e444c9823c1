/** A stream of text → units whose borders the text alone decides: whatever the chunks, a gate works at the same places. */

/** Characters of a unit without white space. */
const MAX_UNIT = 16

/** The first character of scripts that write no spaces. */
const IDEOGRAPHS = 0x2e80

export class TextUnits {
  private open = ""

  /** The units that are complete. */
  push(text: string): ReadonlyArray<string> {
    const units: Array<string> = []
    let from = 0
    const whole = this.open + text
    for (let at = this.open.length; at < whole.length; at++) {
      if (!endsUnit(whole, from, at)) continue
      units.push(whole.slice(from, at + 1))
      from = at + 1
    }
    this.open = whole.slice(from)
    return units
  }

  end(): string {
    const rest = this.open
    this.open = ""
    return rest
  }
}

const endsUnit = (text: string, from: number, at: number): boolean => {
  const code = text.charCodeAt(at)
  // Half of a character cannot leave.
  if (code >= 0xd800 && code < 0xdc00) return false
  if (code >= IDEOGRAPHS || at - from + 1 >= MAX_UNIT) return true
  return isSpace(code) && at > from && !isSpace(text.charCodeAt(at - 1))
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)
