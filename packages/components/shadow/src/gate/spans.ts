/** Places in a text that findings replace. */
import type { Finding } from "@planloom/plugin/effect"

/** A place and the text to put there. */
export interface Mark {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Stands where a finding gives no other text. */
const REMOVED = "[removed]"

export const marksOf = ({ spans = [], text = REMOVED }: Finding, offset = 0): ReadonlyArray<Mark> =>
  spans.map((span) => ({
    start: offset + span.start,
    end: offset + span.end,
    text: span.text ?? text,
  }))

/** In order, without overlaps: marks that overlap become one, with the text of the first given. */
export const mergeMarks = (marks: ReadonlyArray<Mark>): ReadonlyArray<Mark> => {
  const order = new Map(marks.map((mark, index) => [mark, index]))
  const merged: Array<{ mark: Mark; order: number }> = []
  for (const mark of [...marks].sort(
    (one, other) => one.start - other.start || order.get(one)! - order.get(other)!,
  )) {
    const last = merged.at(-1)
    if (last === undefined || mark.start >= last.mark.end) {
      merged.push({ mark, order: order.get(mark)! })
      continue
    }
    const first = Math.min(last.order, order.get(mark)!)
    merged[merged.length - 1] = {
      order: first,
      mark: {
        start: last.mark.start,
        end: Math.max(last.mark.end, mark.end),
        text: marks[first]!.text,
      },
    }
  }
  return merged.map(({ mark }) => mark)
}

export const applyMarks = (text: string, marks: ReadonlyArray<Mark>): string => {
  let out = ""
  let at = 0
  for (const { end, start, text: instead } of mergeMarks(marks)) {
    out += text.slice(at, start) + instead
    at = end
  }
  return out + text.slice(at)
}
