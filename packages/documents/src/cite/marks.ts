/** Marks of citations in a text, such as `[2]` or `[1, 3]`: which passages they name, and how a text looks without some. */

export interface Marks {
  /** Numbers in the order of the text, each once. */
  readonly numbers: ReadonlyArray<number>
  /** The text without the marks of other numbers. */
  readonly kept: string
}

/** Longer numbers are years and codes. */
const MARK = /[ \t]*(?:\[|【)\s*\^?(\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3}){0,20})\s*(?:\]|】)/g

/** Code between backticks has indexes, not marks. */
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g

/** The longest range that is a mark: `[1–5]`. */
const MAX_RANGE = 20

/** `isKnown` says which numbers stay. */
export const readMarks = (text: string, isKnown: (number: number) => boolean): Marks => {
  const numbers = new Set<number>()
  let kept = ""
  let end = 0
  for (const { 0: code, index } of text.matchAll(CODE)) {
    kept += `${read(text.slice(end, index), isKnown, numbers)}${code}`
    end = index + code.length
  }
  return { kept: kept + read(text.slice(end), isKnown, numbers), numbers: [...numbers] }
}

const read = (text: string, isKnown: (number: number) => boolean, numbers: Set<number>): string =>
  text.replace(MARK, (mark, list: string) => {
    const named = numbersIn(list)
    for (const one of named) numbers.add(one)
    const known = named.filter(isKnown)
    if (known.length === named.length) return mark
    return known.length === 0 ? "" : ` [${known.join(", ")}]`
  })

const numbersIn = (list: string): ReadonlyArray<number> =>
  list.split(/[,;]/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/[–-]/).map((one) => Number(one.replace("^", "")))
    const isRange = to > from && to - from < MAX_RANGE
    return isRange
      ? Array.from({ length: to - from + 1 }, (_, at) => from + at)
      : [...new Set([from, to])]
  })
