/** Formats one stage of a run as one line, cut to the terminal. */
import { reasonOf } from "@planloom/plugin/effect"
import { lastOf } from "@planloom/plugin/segments"
import { count, duration, plural } from "../terminal/quantity.ts"
import type { Style } from "../terminal/Style.ts"
import { cut, oneLine, pad, widthOf } from "../terminal/text.ts"
import { occurrenceName } from "./parentPath.ts"
import type { StageView } from "./StageView.ts"

export interface Look {
  readonly style: Style
  /** Width of a line, in cells. */
  readonly width: number
  /** Width of the name column, in cells. */
  readonly names: number
  /** Epoch milliseconds. */
  readonly now: number
}

/** Width of the time column; fixed, so that the text before it does not move. */
const TIME_CELLS = 7

/** Braille dots, one step per 80 ms. */
const spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

export const stageLine = (view: StageView, depth: number, look: Look): string => {
  const { style, width } = look
  const indent = "  ".repeat(depth)
  const room = Math.max(1, width - indent.length - 2)
  const names = Math.max(4, Math.min(look.names - indent.length, Math.floor(room / 2)))
  const name = pad(cut(occurrenceName(view.path), names), names)
  const lasted = timeOf(view, look.now)
  const time = width < 50 ? lasted : pad(lasted, TIME_CELLS, "right")
  const used = usedBy(view)
  // On a narrow terminal the summary matters more than the number of tool calls.
  const tight = width < 50 || (width < 80 && view.tokens === 0)
  const right = tight || used === "" ? time : `${used}  ${time}`
  const rest = Math.max(0, room - names - 2 - widthOf(right) - 2)
  const saying = pad(cut(oneLine(sayingOf(view, look.now)), rest), rest)
  const paint = paintOf(view, style)
  return `${indent}${markOf(view, look)} ${view.state === "running" ? style.bold(name) : name}  ${paint(saying)}  ${style.dim(right)}`.trimEnd()
}

const markOf = (view: StageView, { now, style }: Look): string => {
  switch (view.state) {
    case "running":
      return style.name(spinner[Math.floor(now / 80) % spinner.length]!)
    case "waiting":
      return style.warn("↻")
    case "done":
      if (view.assertion !== undefined) return style.warn("↩")
      return view.degraded === undefined && view.fellBack === undefined
        ? style.good("✓")
        : style.warn("✓")
    case "skipped":
      return style.dim("–")
    case "continued":
      return style.warn("!")
    case "failed":
      return style.bad("✗")
    case "stopped":
      return style.dim("■")
  }
}

const paintOf = (view: StageView, style: Style) => {
  if (view.state === "failed") return style.bad
  if (view.state === "waiting" || view.state === "continued" || view.assertion !== undefined)
    return style.warn
  return style.dim
}

const sayingOf = (view: StageView, now: number): string => {
  switch (view.state) {
    case "running":
      return running(view)
    case "waiting": {
      const left = Math.max(0, (view.retryAt ?? now) - now)
      return left === 0
        ? `attempt ${view.attempts} · after ${failureText(view)}`
        : `attempt ${view.attempts} in ${duration(left)} · ${failureText(view)}`
    }
    case "done":
      return finished(view)
    case "skipped":
      return `skipped: ${view.skipped} is false`
    case "continued":
      return `failed, the run continues · ${failureText(view)}`
    case "failed":
      return failureText(view)
    case "stopped":
      return "stopped"
  }
}

const running = (view: StageView): string => {
  const percent = view.fraction === undefined ? [] : [`${Math.round(view.fraction * 100)} %`]
  if (view.iteration !== undefined) return `iteration ${view.iteration}`
  if (view.failure !== undefined) return `fallback · after ${failureText(view)}`
  if (view.message !== undefined) return [view.message, ...percent].join(" · ")
  const items = itemsOf(view)
  if (items.length > 0) {
    const done = items.filter((item) => item.endedAt !== undefined).length
    return `${done} done, ${items.length - done} running`
  }
  return [view.uses, ...(view.attempts > 1 ? [`attempt ${view.attempts}`] : [])].join(" · ")
}

const finished = (view: StageView): string => {
  if (view.assertion !== undefined) {
    const { message, rerun } = view.assertion
    return rerun === undefined
      ? message
      : `${message} · back to ${rerun.stage}, ${rerun.count} of ${rerun.max}`
  }
  const items = itemsOf(view).length
  const parts = [
    items === 0 && view.summary !== undefined
      ? view.summary
      : view.uses === "stages"
        ? ""
        : view.uses,
    items > 0 ? plural(items, "item") : "",
    view.uses === "stages" && items === 0 && view.iteration === undefined
      ? plural(view.children.length, "stage")
      : "",
    view.iteration === undefined ? "" : plural(view.iteration, "iteration"),
    view.attempts > 1 ? plural(view.attempts, "attempt") : "",
    view.degraded === undefined ? "" : `without a model: ${reasonOf(view.degraded)}`,
    view.fellBack === undefined ? "" : `fallback after ${reasonOf(view.fellBack)}`,
  ]
  return parts.filter((part) => part !== "").join(" · ")
}

/** The items of a `for_each`. */
const itemsOf = (view: StageView): ReadonlyArray<StageView> =>
  view.children.filter(
    (child) => child.stage === view.stage && lastOf(child.path).indices.length > 0,
  )

const failureText = ({ failure }: StageView): string =>
  failure === undefined ? "" : `${failure.class}: ${failure.message}`

const usedBy = (view: StageView): string =>
  view.tokens > 0
    ? `${count(view.tokens)} tok`
    : view.toolCalls > 0
      ? plural(view.toolCalls, "call")
      : ""

const timeOf = (view: StageView, now: number): string =>
  view.state === "skipped" ? "" : duration((view.endedAt ?? now) - view.startedAt)
