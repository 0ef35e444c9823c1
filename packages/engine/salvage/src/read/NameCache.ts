/** Interns member names: a document repeats few of them many times. */

/** Power of two. */
const CACHE_SLOTS = 64

export class NameCache {
  private readonly known: Array<string> = []

  /** Returns the text between two offsets, as the same string each time: comparing is cheaper than slicing and a map lookup. */
  between(text: string, start: number, end: number): string {
    const length = end - start
    const slot =
      (text.charCodeAt(start) * 7 + text.charCodeAt(end - 1) * 3 + length) & (CACHE_SLOTS - 1)
    const known = this.known[slot]
    if (known !== undefined && known.length === length && text.startsWith(known, start))
      return known
    const name = text.slice(start, end)
    this.known[slot] = name
    return name
  }
}
