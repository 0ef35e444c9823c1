/** Remarks on the text around an answer: reasoning, comments, other candidates, words, and data that the answer lacks. */
import type { Candidate, Scanner, Span } from "./find/Scanner.ts"
import type { SyntaxRepair } from "./Salvage.ts"
import type { Remark } from "./isLoss.ts"
import type { Node } from "./read/Node.ts"
import { isUnbalanced } from "./isUnbalanced.ts"

export interface Around {
  readonly remarks: Array<Remark>
  /** A bracket beside the answer lacks its partner. */
  readonly isTorn: boolean
}

/** `list`: of the parts. */
export const aroundOf = (
  text: string,
  { answerStart, comments, reasoning, thinking }: Scanner,
  parts: ReadonlyArray<Candidate>,
  others: ReadonlyArray<Candidate>,
  list?: Node,
): Around => {
  const remarks: Array<Remark> = [
    ...reasoning.map(({ start }) => ({ kind: "reasoning" as const, at: start })),
    ...comments.map(({ start }) => ({ kind: "comment" as const, at: start })),
  ]
  if (thinking >= 0) remarks.push({ kind: "reasoning", at: thinking })
  const candidates = [...parts, ...others].toSorted((a, b) => a.start - b.start)
  // A value that is the text itself, or in its only fence, leaves no part of a document behind.
  const gaps =
    parts.length === 0 ? [] : gapsOf(text, answerStart, [...candidates, ...reasoning], comments)
  const isTorn = gaps.some(({ end, start }) => isUnbalanced(text.slice(start, end)))
  const taken = new Set(parts)
  let from = 0
  let before: Candidate | undefined
  for (const [index, each] of candidates.entries()) {
    const { start, end } = each
    const detail = text.slice(start, Math.min(end, start + MAX_DETAIL_UNITS))
    const runsOn = from > 0 && RUNS_ON.test(text.slice(from, start))
    if (!taken.has(each))
      remarks.push({
        kind: "other_candidate",
        at: start,
        detail,
        hasData: isTorn || runsOn || isSplit(each, candidates[index + 1]) || isSplit(before, each),
      })
    from = end
    before = each
  }
  if (list !== undefined) {
    const hasData = isTorn || parts.some((part, index) => isSplit(part, parts[index + 1]))
    remarks.push({ kind: "sequence", at: list.start, node: list, hasData })
  }
  for (const part of parts) {
    if (part.fenced) remarks.push({ kind: "fence", at: part.start })
    else if (part.apart) remarks.push({ kind: "surrounding_text", at: part.start })
  }
  return { remarks: [...remarks, ...besides(text, answerStart, parts, gaps, isTorn)], isTorn }
}

const MAX_DETAIL_UNITS = 80

/**
 * `{"a": 1 {"b": 2}`: whether a stray opener may separate the members of one object. Objects with a common name are two, of which
 * the first lacks its closer.
 */
const isSplit = (first: Candidate | undefined, next: Candidate | undefined): boolean => {
  if (first === undefined || next === undefined || next.apart) return false
  const { root, unclosed } = first.reader
  const other = next.reader.root
  if (other.size === 0 || !unclosed.includes(root)) return false
  const names = new Set(other.keys)
  return root.kind !== other.kind || !root.keys.some((name) => names.has(name))
}

/** With only commas or closers between them, both were parts of one document. */
const RUNS_ON = /^\s*[,;}\]][\s,;}\]]*$/

/** Data in the gaps, else the first words or numbers after the answer. */
function* besides(
  text: string,
  from: number,
  parts: ReadonlyArray<Candidate>,
  gaps: ReadonlyArray<Span>,
  isTorn: boolean,
): Generator<Remark> {
  const last = parts.reduce((most, { end }) => Math.max(most, end), 0)
  const isBroken =
    isTorn && parts.some(({ reader }) => BROKEN.some((kind) => reader.repairs.has(kind)))
  // The name before the value may be a member, whose object lacks its opener.
  const isShifted =
    isTorn || parts.some(({ reader: { closers } }) => closers.extra + closers.swapped > 0)
  let hasRest = false
  for (const { start, end } of gaps) {
    const gap = text.slice(start, end)
    const words = start + gap.search(/[\p{L}\p{N}]/u)
    const hasLabel = start <= from && start < last && !isShifted
    const hasData = holdsData(hasLabel ? gap.replace(LABEL, "") : gap, isTorn)
    if (hasData || (words >= start && start >= last && !hasRest)) {
      hasRest ||= start >= last
      const at = hasData ? start + gap.search(/\S/) : words
      const detail = text.slice(at, Math.min(end, at + MAX_DETAIL_UNITS))
      yield { kind: "surrounding_text", at, detail, hasData }
    } else if (isBroken && isUnbalanced(gap))
      yield { kind: "extra_closer", at: start + gap.search(/[{}[\]]/), hasData: true }
  }
}

/** After such a change, a bracket too many may be one that was read in the wrong place. */
const BROKEN: ReadonlyArray<SyntaxRepair> = [
  "missing_comma",
  "missing_value",
  "missing_closer",
  "swapped_closer",
  "extra_closer",
  "tuple",
]

/** The text from `from` on between the spans, without comments; what seems to be one inside an open quote is text. */
const gapsOf = (
  text: string,
  from: number,
  spans: ReadonlyArray<Span>,
  comments: ReadonlyArray<Span>,
): ReadonlyArray<Span> => {
  const gaps: Array<Span> = []
  const isComment = new Set(comments)
  let at = from
  let isQuoted = false
  for (const span of [...spans, ...comments].toSorted((a, b) => a.start - b.start)) {
    const { end, start } = span
    if (!isComment.has(span)) isQuoted = false
    else if (start >= at) {
      for (const mark of text.slice(at, start).match(/["\n]/g) ?? [])
        isQuoted = mark === '"' && !isQuoted
    }
    if (start > at) gaps.push({ start: at, end: start })
    if (isQuoted) gaps.push(span)
    if (text[end - 1] === "\n") isQuoted = false
    at = Math.max(at, end)
  }
  if (text.length > at) gaps.push({ start: at, end: text.length })
  return gaps
}

/** A quoted name with its colon. */
const NAMED = /(["'])(?:(?!\1)[^\\\n]|\\.){1,64}\1\s*:/
/** A name directly before the first value: its label, if no bracket is missing. */
const LABEL = /(["'])[^"'\n]{1,64}\1\s*:\s*$/

/** `isTorn`: brackets are left over in the gaps. */
const holdsData = (gap: string, isTorn: boolean): boolean =>
  NAMED.test(gap) ||
  (isTorn && /[\p{L}\p{N}"'`]/u.test(gap) && (SEPARATED.test(gap) || isUnbalanced(gap)))

/** A comma next to a value. */
const SEPARATED = /^\s*,|,\s*$/
