/** Names that were read: a document has few of them, many times. */

/** Power of two. */
const PLACES = 64

export class Names {
  private readonly known: Array<string> = []

  /** The text between two offsets, as the same string each time: making it and looking it up costs more than comparing it. */
  between(text: string, start: number, end: number): string {
    const length = end - start
    const place =
      (text.charCodeAt(start) * 7 + text.charCodeAt(end - 1) * 3 + length) & (PLACES - 1)
    const known = this.known[place]
    if (known !== undefined && known.length === length && text.startsWith(known, start))
      return known
    const name = text.slice(start, end)
    this.known[place] = name
    return name
  }
}
