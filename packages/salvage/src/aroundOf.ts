/** Remarks on the text around an answer: reasoning, comments, other candidates, words, and data that the answer lacks. */
import type { Candidate, Scanner, Span } from "./find/Scanner.ts"
import type { SyntaxRepair } from "./Salvage.ts"
import type { Remark } from "./isLoss.ts"
import type { Node } from "./read/Node.ts"
import { isUnbalanced } from "./isUnbalanced.ts"

/** `list`: of the parts. */
export const aroundOf = (
  text: string,
  { answerStart, comments, reasoning, thinking }: Scanner,
  parts: ReadonlyArray<Candidate>,
  others: ReadonlyArray<Candidate>,
  list?: Node,
): Array<Remark> => {
  const remarks: Array<Remark> = [
    ...reasoning.map(({ start }) => ({ kind: "reasoning" as const, at: start })),
    ...comments.map(({ start }) => ({ kind: "comment" as const, at: start })),
  ]
  if (thinking >= 0) remarks.push({ kind: "reasoning", at: thinking })
  const candidates = [...parts, ...others].toSorted((a, b) => a.start - b.start)
  // A value that is the text itself, or in its only fence, leaves no part of a document behind.
  const gaps =
    parts.length === 0 ? [] : gapsOf(text, answerStart, [...candidates, ...reasoning, ...comments])
  const isTorn = gaps.some(({ end, start }) => isUnbalanced(text.slice(start, end)))
  const taken = new Set(parts)
  let from = 0
  for (const each of candidates) {
    const { start, end } = each
    const detail = text.slice(start, Math.min(end, start + MAX_DETAIL_UNITS))
    const runsOn = from > 0 && RUNS_ON.test(text.slice(from, start))
    if (!taken.has(each))
      remarks.push({ kind: "other_candidate", at: start, detail, hasData: isTorn || runsOn })
    from = end
  }
  if (list !== undefined)
    remarks.push({ kind: "sequence", at: list.start, node: list, hasData: isTorn })
  for (const part of parts) {
    if (part.fenced) remarks.push({ kind: "fence", at: part.start })
    else if (part.apart) remarks.push({ kind: "surrounding_text", at: part.start })
  }
  return [...remarks, ...besides(text, answerStart, parts, gaps, isTorn)]
}

const MAX_DETAIL_UNITS = 80

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
  let hasRest = false
  for (const { start, end } of gaps) {
    const gap = text.slice(start, end)
    const words = start + gap.search(/[\p{L}\p{N}]/u)
    const isLead = start <= from && start < last
    const hasData = holdsData(isLead && !isTorn ? gap.replace(LABEL, "") : gap, isTorn)
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

/** The text from `from` on between the spans. */
const gapsOf = (text: string, from: number, spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const gaps: Array<Span> = []
  let at = from
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start > at) gaps.push({ start: at, end: start })
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
