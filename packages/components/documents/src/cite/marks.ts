/** Marks of citations in a text, such as `[2]` or `[1, 3]`: which passages they name, and how a text looks without some. */
import type { Showing } from "@planloom/plugin/effect"
import { MarkFilter } from "./MarkFilter.ts"

export interface Marks {
  /** Numbers in the order of the text, each once. */
  readonly numbers: ReadonlyArray<number>
  /** The text without the marks of other numbers, trimmed. */
  readonly kept: string
}

/** `isKnown` says which numbers stay. */
export const readMarks = (text: string, isKnown: (number: number) => boolean): Marks => {
  const filter = new MarkFilter(isKnown)
  const kept = filter.push(text) + filter.end()
  return { kept, numbers: [...filter.numbers] }
}

/** Shows of a reply no mark of other numbers, at no moment. */
export const knownMarks = (isKnown: (number: number) => boolean): Showing => ({
  open: () => {
    const filter = new MarkFilter(isKnown)
    return (text) => filter.push(text)
  },
  whole: (text) => readMarks(text, isKnown).kept,
})
