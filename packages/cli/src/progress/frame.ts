/** A run's progress as lines: those that will not change any more, and those that still may. */
import { count, duration, money, plural } from "../terminal/quantity.ts"
import { cut } from "../terminal/text.ts"
import type { Progress } from "./Progress.ts"
import type { StageView } from "./StageView.ts"
import { stageLine, type Look } from "./stageLine.ts"

export interface Frame {
  /** Finished for good, in order; drawn once and left in the terminal's history. */
  readonly settled: ReadonlyArray<string>
  /** Drawn anew every time; never more than `rows`. */
  readonly moving: ReadonlyArray<string>
}

/** `from` tells how many top-level stages have been settled by earlier frames. */
export const frame = (progress: Progress, from: number, look: Look, rows: number): Frame => {
  const open = progress.roots.slice(from)
  const ended = progress.endedAt !== undefined
  const first = ended ? -1 : open.findIndex((view) => view.endedAt === undefined)
  const at = first === -1 ? open.length : first
  const settled = open.slice(0, at).flatMap((view) => linesOf(view, 0, look, false))
  if (ended) return { settled, moving: [] }
  const lines = open.slice(at).flatMap((view) => linesOf(view, 0, look, true))
  // One row for the line of totals, one that the cursor rests on.
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

/** At most this many children of one stage are drawn while it works. */
const CHILDREN = 8

/** What is done stays one line; what works shows what happens inside of it. */
const linesOf = (
  view: StageView,
  depth: number,
  look: Look,
  unfold: boolean,
): ReadonlyArray<string> => {
  const line = stageLine(view, depth, look)
  const worthShowing =
    unfold && view.endedAt === undefined
      ? recent(childrenNow(view))
      : view.children.filter(troubled)
  return [line, ...worthShowing.flatMap((child) => linesOf(child, depth + 1, look, unfold))]
}

/** Of a `repeat` only the iteration that is under way. */
const childrenNow = ({ children, iteration, path }: StageView): ReadonlyArray<StageView> =>
  iteration === undefined
    ? children
    : children.filter((child) => child.path.startsWith(`${path}[${iteration - 1}]/`))

/** Those at work first of all; then the ones that ended last. In the order they began. */
const recent = (children: ReadonlyArray<StageView>): ReadonlyArray<StageView> => {
  if (children.length <= CHILDREN) return children
  const working = children.filter((child) => child.endedAt === undefined).slice(-CHILDREN)
  const ended = children
    .filter((child) => child.endedAt !== undefined)
    .toSorted((a, b) => b.endedAt! - a.endedAt!)
  const kept = new Set([...working, ...ended.slice(0, CHILDREN - working.length)])
  return children.filter((child) => kept.has(child))
}

/** Failures stay visible when their block is folded up. */
const troubled = (view: StageView): boolean =>
  view.state === "failed" ||
  view.state === "continued" ||
  view.assertion !== undefined ||
  view.children.some(troubled)

const totalsLine = (progress: Progress, { now, style, width }: Look): string =>
  style.dim(cut(totals(progress, now).join(" · "), width))

/** Estimated are those whose service has not told all that they used. */
export const modelCallsText = (calls: number, estimated: number): string =>
  `${plural(calls, "model call")}${estimated === 0 ? "" : ` (${estimated} estimated)`}`

/** Time and what has been used, each as a short text. */
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
