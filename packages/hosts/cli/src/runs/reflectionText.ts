/** The reflections of a run in sentences: what was looked for, where nothing was found, what was changed and why, what came back. */
import type { Json, JsonObject, RunEvent } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { oneLine } from "../terminal/text.ts"
import { reflectionsIn, type Reflection } from "./reflections.ts"

type Row = readonly [label: string, lines: ReadonlyArray<string>]

interface Described {
  readonly title: string
  readonly rows: ReadonlyArray<Row>
}

/** In the order of the run; those that left the plan as it was are left out. */
export const describedReflections = (events: ReadonlyArray<RunEvent>): ReadonlyArray<Described> =>
  reflectionsIn(events).map((reflection) => ({
    title: `reflection after round ${reflection.round + 1}`,
    rows: rowsOf(reflection, events)
      .map(([label, lines]): Row => [label, lines.filter((line) => line !== "").map(oneLine)])
      .filter(([, lines]) => lines.length > 0),
  }))

const rowsOf = (
  {
    failed_for: failed,
    looked_for: sought,
    missing,
    next,
    nothing_for: empty,
    path,
    ...made
  }: Reflection,
  events: ReadonlyArray<RunEvent>,
): ReadonlyArray<Row> => {
  const others = missing.flatMap(({ reason, rule }) =>
    inWords.has(rule) ? [] : [`${capital(reason)}.`],
  )
  return [
    ["looked for", [sentence("It looked for", sought)]],
    [
      "missing",
      [
        sentence("Nothing was found for", empty),
        sentence("It failed to look for", failed),
        ...new Set(others),
      ],
    ],
    ["why", [made.reasoning === "" ? "" : capital(made.reasoning)]],
    ["changed", [changeOf(made.strategy, next)]],
    ["the user read", [thinkingAt(events, path)]],
    ["came back", cameBack(events, path)],
  ]
}

/** Rules whose gaps are said by what was looked for. */
const inWords: ReadonlySet<string> = new Set(["empty_results", "failed_calls"])

const sentence = (start: string, what: ReadonlyArray<string> = []): string =>
  what.length === 0 ? "" : `${start} ${what.join("; ")}.`

const changes: { readonly [strategy: string]: string } = {
  extend: "It also looked for",
  relax: "It looked more broadly for the same:",
  rewrite: "It tried other words:",
  pivot: "It looked in another place:",
}

const changeOf = (strategy: string, next: ReadonlyArray<string> = []): string =>
  next.length === 0
    ? "It looked for less."
    : sentence(changes[strategy] ?? `By the strategy "${strategy}" it looked for`, next)

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const thinkingAt = (events: ReadonlyArray<RunEvent>, path: string): string => {
  const said = events.findLast(
    (one) => one.type === "Noted" && one.note === "thinking" && one.path === path,
  )
  return said?.type === "Noted" ? (said.text ?? "") : ""
}

/** The results of the calls that the next plan made: those of the first stage with calls behind the reflection. */
const cameBack = (events: ReadonlyArray<RunEvent>, path: string): ReadonlyArray<string> => {
  const end = events.findLastIndex((one) => one.type === "StageFinished" && one.path === path)
  const stage = events
    .slice(end + 1)
    .find((one) => one.type === "StageFinished" && callsIn(one.output).length > 0)
  const calls = stage?.type === "StageFinished" ? callsIn(stage.output) : []
  return [
    ...new Set(
      calls.flatMap(({ error, from, summary }) =>
        from === undefined ? [String(error ?? summary ?? "")] : [],
      ),
    ),
  ]
}

const callsIn = (output: Json): ReadonlyArray<JsonObject> => {
  const calls = isObject(output) ? (output as JsonObject)["calls"] : undefined
  return Array.isArray(calls) ? calls.filter((one: Json): one is JsonObject => isObject(one)) : []
}
