/** Takes marks of passages that were not retrieved out of a text while it is being written: of a mark, nothing leaves before it is whole and known. */

/** A longer one is no mark. */
const LONGEST_MARK = 200

/** Longer numbers are years and codes. */
const MARK = /[[【]\s*\^?(\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3}){0,20})\s*[\]】]/y

/** Text that more text could turn into a mark. */
const OPEN = /[[【]\s*(?:\^\d{0,3}|\d{1,3})?(?:\s*[,;–-]\s*\^?\d{0,3})*\s*$/y

/** Longer text between backticks within a line is no code. */
const LONGEST_CODE = 1000
const FENCE = "```"

/** The longest range that is a mark: `[1–5]`. */
const MAX_RANGE = 20

interface Piece {
  readonly to: number
  readonly shown: string
}

export class MarkFilter {
  /** Numbers of all marks, in the order of the text. */
  readonly numbers = new Set<number>()
  private readonly isKnown: (number: number) => boolean
  /** The end that more text may change. */
  private held = ""
  /** White space that leaves with the next text. */
  private blank = ""
  /** The end of what has left. */
  private last = ""
  /** Code between backticks has indexes, not marks. */
  private isFenced = false

  constructor(isKnown: (number: number) => boolean) {
    this.isKnown = isKnown
  }

  /** The text that may leave now. */
  push(text: string): string {
    this.held += text
    return this.take(false)
  }

  /** The rest, once the text has ended. */
  end(): string {
    return this.take(true)
  }

  private take(isEnd: boolean): string {
    const { held } = this
    let shown = ""
    let at = 0
    while (at < held.length) {
      const piece = this.isFenced ? this.fenced(at, isEnd) : this.plain(at, isEnd)
      if (piece === undefined) break
      shown += this.leave(piece.shown)
      at = piece.to
    }
    this.held = held.slice(at)
    return shown
  }

  /** White space at the beginning and the end is left out. */
  private leave(text: string): string {
    const whole = this.last === "" ? (this.blank + text).trimStart() : this.blank + text
    const shown = whole.trimEnd()
    this.blank = whole.slice(shown.length)
    this.last = (this.last + shown).slice(-LONGEST_MARK)
    return shown
  }

  private fenced(at: number, isEnd: boolean): Piece | undefined {
    const { held } = this
    const end = held.indexOf(FENCE, at)
    if (end >= 0) {
      this.isFenced = false
      return pieceOf(held, at, end + FENCE.length)
    }
    const to = isEnd ? held.length : held.length - backticksAtEnd(held, at)
    return to === at ? undefined : pieceOf(held, at, to)
  }

  private plain(at: number, isEnd: boolean): Piece | undefined {
    const { held } = this
    const next = indexOfSpecial(held, at)
    if (next > at) return pieceOf(held, at, next)
    return held[at] === "`" ? this.code(at, isEnd) : this.mark(at, isEnd)
  }

  private code(at: number, isEnd: boolean): Piece | undefined {
    const { held } = this
    if (held.startsWith(FENCE, at)) {
      this.isFenced = true
      return pieceOf(held, at, at + FENCE.length)
    }
    const line = held.slice(at + 1, at + 1 + LONGEST_CODE)
    const end = line.search(/[`\n]/)
    // Two backticks may become a fence.
    const isOpen = !isEnd && (end < 0 || held.length <= at + 2) && line.length < LONGEST_CODE
    if (isOpen) return undefined
    return pieceOf(held, at, line[end] === "`" ? at + end + 2 : at + 1)
  }

  private mark(at: number, isEnd: boolean): Piece | undefined {
    const text = this.held.slice(at, at + LONGEST_MARK)
    MARK.lastIndex = 0
    const mark = MARK.exec(text)
    if (mark === null) {
      OPEN.lastIndex = 0
      const isOpen = !isEnd && text.length < LONGEST_MARK && OPEN.test(text)
      return isOpen ? undefined : pieceOf(this.held, at, at + 1)
    }
    const to = at + mark[0].length
    const named = numbersIn(mark[1]!)
    for (const one of named) this.numbers.add(one)
    const known = named.filter(this.isKnown)
    if (known.length === named.length) return { to, shown: mark[0] }
    this.blank = withoutSpacesAtEnd(this.blank)
    if (known.length > 0) return { to, shown: ` [${known.join(", ")}]` }
    // Nothing in its place would let the text before it become a mark, or code, with the text after it.
    return { to, shown: JOINING.test(this.last + this.blank) ? "…" : "" }
  }
}

const JOINING = new RegExp("(?:" + OPEN.source + ")|``$")

const pieceOf = (text: string, at: number, to: number): Piece => ({ to, shown: text.slice(at, to) })

const SPECIAL = /[`[【]/g

const indexOfSpecial = (text: string, at: number): number => {
  SPECIAL.lastIndex = at
  return SPECIAL.exec(text)?.index ?? text.length
}

/** Of a text from `at` on; two at most, as three are a fence. */
const backticksAtEnd = (text: string, at: number): number => {
  let count = 0
  while (count < FENCE.length - 1 && text.length - count > at && text.at(-1 - count) === "`")
    count++
  return count
}

const withoutSpacesAtEnd = (blank: string): string => {
  let end = blank.length
  while (blank[end - 1] === " " || blank[end - 1] === "\t") end--
  return blank.slice(0, end)
}

const numbersIn = (list: string): ReadonlyArray<number> =>
  list.split(/[,;]/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/[–-]/).map((one) => Number(one.replace("^", "")))
    const isRange = to > from && to - from < MAX_RANGE
    return isRange
      ? Array.from({ length: to - from + 1 }, (_, at) => from + at)
      : [...new Set([from, to])]
  })
