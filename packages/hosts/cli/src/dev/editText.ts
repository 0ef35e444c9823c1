/** Formats a run of the edit loop: each stage, what the edit changed in it, and what it cost. */
import { relative } from "node:path"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { Edit } from "./loop/Edit.ts"
import type { PartChange, StageComparison } from "./loop/compareRuns.ts"
import { showOutputs } from "../run/outputs.ts"
import { degradedText, failureText } from "../run/resultText.ts"
import { diffLines } from "../terminal/diffLines.ts"
import { count, duration, money, plural } from "../terminal/quantity.ts"
import type { Style } from "../terminal/Style.ts"
import { cut, oneLine, visible, widthOf, wrap } from "../terminal/text.ts"

export interface Look {
  readonly style: Style
  readonly width: number
  /** Lines of a part or output that are shown; the whole difference unless given. */
  readonly lines?: number
}

/** Characters of a part or output that are compared for the view, in the whole and in the short form. */
const MAX_WHOLE = 100_000
const MAX_SHORT = 20_000

/** Stages of a list or loop that were replayed are left out of the short form. */
const MAX_STAGES = 30

export const editText = (edit: Edit, look: Look): string => {
  const { result, stages } = edit
  const { style, width } = look
  const shown = stages.filter((one) => isShown(one, stages.length))
  const names = Math.min(30, Math.max(0, ...shown.map(({ now }) => widthOf(now.path))))
  const hidden = stages.length - shown.length
  const outputs =
    result.status === "succeeded" ? showOutputs(result.outputs, new Map(), { style, width }) : ""
  return [
    heading(edit, look),
    "",
    ...shown.flatMap((one) => [stageLine(one, names, look), ...changeLines(one, look)]),
    ...(hidden === 0 ? [] : [style.dim(`  … ${plural(hidden, "replayed stage")}`)]),
    "",
    ...wrap(totals(edit), width).map(style.dim),
    ...(result.status === "succeeded" ? [] : ["", failureText(result, style, width)]),
    ...(result.degraded.length === 0 ? [] : [degradedText(result, style, width)!]),
    ...(outputs === "" ? [] : ["", limited(outputs.split("\n"), look).join("\n")]),
  ].join("\n")
}

const heading = ({ number, saved, workflow }: Edit, { style, width }: Look): string => {
  const files = saved.map((path) => relative(".", path) || path).join(", ")
  const what = number === 1 ? "first run" : saved.length === 0 ? "run without memory" : files
  return `${style.bold(workflow)}  ${style.dim(cut(oneLine(what), width - widthOf(workflow) - 2))}`
}

const isShown = ({ hasNewOutput, now, work }: StageComparison, all: number): boolean =>
  all <= MAX_STAGES || work === "ran" || hasNewOutput || now.outcome === "failure"

const stageLine = (one: StageComparison, names: number, { style, width }: Look): string => {
  const { now, work } = one
  const failed = now.outcome === "failure" || now.outcome === "cancelled"
  const mark = failed
    ? style.bad("✗")
    : work === "ran"
      ? style.warn("●")
      : work === "skipped"
        ? style.dim("-")
        : style.good("✓")
  const name = cut(now.path, names).padEnd(names)
  const word = failed ? (now.failure?.class ?? now.outcome) : work
  const facts = factsOf(one)
  const room = width - names - 6 - 10
  return `  ${mark} ${work === "ran" ? style.bold(name) : name}  ${word.padEnd(9)} ${style.dim(cut(facts.join(" · "), room))}`.trimEnd()
}

/** Before → after, where both are known and differ. */
const factsOf = ({ before, hasNewOutput, now, work }: StageComparison): ReadonlyArray<string> => {
  if (work === "skipped") return []
  const tokens = moved(before?.tokens, now.tokens, count)
  const cost = moved(before?.cost, now.cost, money)
  return [
    ...(work === "ran" ? [plural(now.live, "call")] : []),
    ...(work === "ran" && now.answered > 0 ? [`${now.answered} replayed`] : []),
    ...(now.tokens === 0 ? [] : [`${tokens} tokens`]),
    ...(now.cost === 0 ? [] : [cost]),
    ...(work === "ran" && now.ms !== undefined ? [duration(now.ms)] : []),
    ...(before === undefined
      ? []
      : hasNewOutput
        ? ["new output"]
        : work === "ran"
          ? ["same output"]
          : []),
  ]
}

const moved = (before: number | undefined, now: number, shown: (value: number) => string): string =>
  before === undefined || before === now ? shown(now) : `${shown(before)} → ${shown(now)}`

/** What the edit changed in the prompts of a stage, and its output before and after. */
const changeLines = (one: StageComparison, look: Look): ReadonlyArray<string> => {
  const { before, hasNewOutput, now, parts } = one
  return [
    ...parts.flatMap((part) => partLines(part, now.prompts.length > 1, look)),
    ...(hasNewOutput && before?.output !== undefined && now.output !== undefined
      ? [
          `      ${look.style.name("output")}`,
          ...textDiff(textOf(before.output), textOf(now.output), look),
        ]
      : []),
  ]
}

const partLines = (
  { after, before, call, hooks, part, source }: PartChange,
  namesCall: boolean,
  look: Look,
): ReadonlyArray<string> => {
  const { style, width } = look
  const by = hooks.map(({ hook, point }) => `${hook} at ${point}`)
  const about = [
    ...(namesCall ? [call] : []),
    ...(source === undefined ? [] : [source]),
    ...(by.length === 0 ? [] : [`hook ${by.join(", ")}`]),
  ].join(", ")
  return [
    `      ${style.name(part)}  ${style.dim(cut(oneLine(about), width - 8 - widthOf(part)))}`.trimEnd(),
    ...textDiff(before, after, look),
  ]
}

const textDiff = (before: string, after: string, look: Look): ReadonlyArray<string> => {
  const { style, width } = look
  const most = look.lines === undefined ? MAX_WHOLE : MAX_SHORT
  const [from, to] = [before.slice(0, most), after.slice(0, most)]
  if (from === to) return [style.dim(`        differs after the first ${count(most)} characters`)]
  const wrapped = (text: string) => wrap(visible(text), width - 10).join("\n")
  return limited(diffLines(wrapped(from), wrapped(to), style), look).map((line) =>
    `        ${line}`.trimEnd(),
  )
}

const limited = (
  lines: ReadonlyArray<string>,
  { lines: most = Infinity, style }: Look,
): ReadonlyArray<string> =>
  lines.length <= most
    ? lines
    : [...lines.slice(0, most), style.dim(`… ${plural(lines.length - most, "more line")}`)]

/** Objects as one field a line, so that a difference is small. */
const textOf = (value: Json): string => {
  if (typeof value === "string") return value
  const { text, ...rest } = (value ?? {}) as JsonObject
  const isReply = typeof text === "string" && Object.keys(rest).length === 0
  return isReply ? text : JSON.stringify(value, null, 2)
}

const totals = ({ ms, stages }: Edit): string => {
  const sum = (of: (one: StageComparison) => number) =>
    stages.reduce((total, one) => total + of(one), 0)
  const live = sum(({ now }) => now.live)
  const answered = sum(({ now }) => now.answered)
  const tokens = sum(({ now }) => now.spentTokens)
  const cost = sum(({ now }) => now.spentCost)
  return [
    `${plural(live, "call")} made`,
    `${answered} replayed`,
    ...(tokens === 0 ? [] : [`${count(tokens)} tokens`]),
    ...(cost === 0 ? [] : [money(cost)]),
    duration(ms.load + ms.run),
  ].join(" · ")
}
