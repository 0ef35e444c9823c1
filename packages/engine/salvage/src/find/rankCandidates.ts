/** Ranks candidate answers, and joins values that form a list. */
import { isMissing, Node, toValue } from "../read/Node.ts"
import type { Candidate } from "./Scanner.ts"

/** A candidate much smaller than the largest is a quotation, a reference such as `[1]`, or an empty example. */
const SLIGHT = 0.2

/**
 * Orders candidates; the first that fits the schema is the answer. Fenced candidates come first, because a fence marks text for
 * programs, and slight ones last. Otherwise the last comes first, because drafts and examples precede answers. Among
 * candidates without words between them the first wins, because small models continue after their answer.
 */
export const rankCandidates = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const largest = candidates.reduce((most, { start, end }) => Math.max(most, end - start), 0)
  const runs: Array<Array<Candidate>> = []
  for (const candidate of candidates) {
    const run = candidate.apart ? undefined : runs.at(-1)
    if (run === undefined) runs.push([candidate])
    else run.push(candidate)
  }
  const ordered = runs.reverse().flat()
  const weight = (candidate: Candidate) => {
    const { start, end, fenced } = candidate
    if (hasOnlyStarted(candidate)) return -1
    return (end - start < largest * SLIGHT || isReference(candidate) ? 0 : 1) + (fenced ? 2 : 0)
  }
  return ordered.toSorted((a, b) => weight(b) - weight(a))
}

/** `{"a`: it ends before its first value. */
const hasOnlyStarted = ({ complete, reader: { closers, root } }: Candidate): boolean =>
  (!complete || closers.missing > 0) && root.size < 2 && root.items.every(isMissing)

/** `[1]`, `[2, 3]`. */
const isReference = ({ reader: { root } }: Candidate): boolean =>
  root.kind === "array" && root.size < 4 && root.items.every(({ kind }) => kind === "number")

/** Values with only commas and blanks between them: a list without brackets. */
export const sequenceOf = (
  candidates: ReadonlyArray<Candidate>,
): ReadonlyArray<Candidate> | undefined => {
  if (candidates.length < 2 || candidates.some(({ apart }, index) => index > 0 && apart))
    return undefined
  const filled = candidates.filter(({ reader }) => reader.root.size > 0)
  if (filled.length === 1) return undefined
  return filled.length > 0 ? filled : candidates
}

/** Joins candidates into a list. */
export const listOf = (parts: ReadonlyArray<Candidate>): Node => {
  const list = new Node("array", parts[0]!.start)
  for (const { reader } of parts) {
    toValue(reader.root)
    list.add(reader.root)
  }
  list.end = parts.at(-1)!.end
  list.closed = parts.at(-1)!.complete
  return list
}
