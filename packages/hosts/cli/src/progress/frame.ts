/** Formats a run's progress as lines: settled ones, which no longer change, and moving ones. */
import { isBelow, itemAt } from "@planloom/plugin/segments"
import { count, duration, money, plural } from "../terminal/quantity.ts"
import { cut, oneLine, wrap } from "../terminal/text.ts"
import type { Progress } from "./Progress.ts"
import type { StageView } from "./StageView.ts"
import { stageLine, type Look } from "./stageLine.ts"

export interface Frame {
  /** Lines of finished stages, in order; written once and left in the scrollback. */
  readonly settled: ReadonlyArray<string>
  /** Lines that every frame redraws; never more than `rows`. */
  readonly moving: ReadonlyArray<string>
}

/** `from` is the number of top-level stages that earlier frames settled. */
export const frame = (progress: Progress, from: number, look: Look, rows: number): Frame => {
  const open = progress.roots.slice(from)
  const ended = progress.endedAt !== undefined
  const first = ended ? -1 : open.findIndex((view) => view.endedAt === undefined)
  const at = first === -1 ? open.length : first
  const settled = open.slice(0, at).flatMap((view) => linesOf(view, 0, look, false))
  if (ended) return { settled, moving: [] }
  const lines = open.slice(at).flatMap((view) => linesOf(view, 0, look, true))
  // One row is for the line of totals, one for the cursor.
  const room = Math.max(1, rows - 3)
  const hidden = lines.length - room
  const shown =
    hidden > 0 ? [look.style.dim(`  … ${hidden + 1} more`), ...lines.slice(hidden + 1)] : lines
  return { settled, moving: [...shown, totalsLine(progress, look)] }
}

export const settledCount = (progress: Progress): number => {
  const first = progress.roots.findIndex((view) => view.endedAt === undefined)
  return first === -1 || progress.endedAt !== undefined ? progress.roots.length : first
}

/** Maximum number of children drawn per running stage. */
const MAX_CHILDREN = 8

/** A finished stage is one line; a running stage also shows its children. */
const linesOf = (
  view: StageView,
  depth: number,
  look: Look,
  unfold: boolean,
): ReadonlyArray<string> => {
  const line = stageLine(view, depth, look)
  const isOpen = unfold && view.endedAt === undefined
  const worthShowing = isOpen ? recent(childrenNow(view)) : view.children.filter(worthKeeping)
  return [
    line,
    ...(isOpen ? earlierNotes(view, depth, look) : []),
    ...[...view.notes].flatMap((note) => noteLines(note, depth, look)),
    ...worthShowing.flatMap((child) => linesOf(child, depth + 1, look, unfold)),
  ]
}

/** Returns the children; of a `repeat` only those of the current iteration. */
const childrenNow = ({ children, iteration, path }: StageView): ReadonlyArray<StageView> =>
  iteration === undefined
    ? children
    : children.filter((child) => isBelow(child.path, itemAt(path, iteration - 1)))

/** Notes of the rounds before the current one, whose stages are not drawn any more. */
const earlierNotes = (view: StageView, depth: number, look: Look): ReadonlyArray<string> => {
  const now = new Set(childrenNow(view))
  return view.children
    .filter((child) => !now.has(child))
    .flatMap(notesIn)
    .flatMap((note) => noteLines(note, depth + 1, look))
}

const notesIn = (view: StageView): ReadonlyArray<string> => [
  ...view.notes,
  ...view.children.flatMap(notesIn),
]

/** Selects the running children first, then the most recently ended ones, in start order. */
const recent = (children: ReadonlyArray<StageView>): ReadonlyArray<StageView> => {
  if (children.length <= MAX_CHILDREN) return children
  const working = children.filter((child) => child.endedAt === undefined).slice(-MAX_CHILDREN)
  const ended = children
    .filter((child) => child.endedAt !== undefined)
    .toSorted((a, b) => b.endedAt! - a.endedAt!)
  const kept = new Set([...working, ...ended.slice(0, MAX_CHILDREN - working.length)])
  return children.filter((child) => kept.has(child))
}

/** Notes of a stage that are drawn on a line of their own, each below the stage. */
const noteLines = (note: string, depth: number, { style, width }: Look): ReadonlyArray<string> => {
  const indent = "  ".repeat(depth + 1)
  return wrap(oneLine(note), width - indent.length).map((line) => style.dim(`${indent}${line}`))
}

/** Whether a stage or one of its children failed or has notes: such stages stay visible when their block is folded. */
const worthKeeping = (view: StageView): boolean =>
  view.state === "failed" ||
  view.state === "continued" ||
  view.assertion !== undefined ||
  view.notes.size > 0 ||
  view.children.some(worthKeeping)

const totalsLine = (progress: Progress, { now, style, width }: Look): string =>
  style.dim(cut(totals(progress, now).join(" · "), width))

/** `estimated` counts the calls whose usage the service did not fully report. */
export const modelCallsText = (calls: number, estimated: number): string =>
  `${plural(calls, "model call")}${estimated === 0 ? "" : ` (${estimated} estimated)`}`

/** Returns elapsed time and usage as short texts. */
export const totals = (progress: Progress, now: number): ReadonlyArray<string> => {
  const {
    cost,
    estimatedCalls,
    inputTokens,
    modelCalls,
    outputTokens,
    priced,
    retries,
    toolCalls,
  } = progress.totals
  const tokens = inputTokens + outputTokens
  return [
    duration((progress.endedAt ?? now) - (progress.startedAt ?? now)),
    ...(modelCalls > 0 ? [modelCallsText(modelCalls, estimatedCalls)] : []),
    ...(tokens > 0 ? [`${count(tokens)} tokens`] : []),
    ...(priced ? [money(cost)] : []),
    ...(toolCalls > 0 ? [plural(toolCalls, "tool call")] : []),
    ...(retries > 0 ? [plural(retries, "retry", "retries")] : []),
  ]
}
