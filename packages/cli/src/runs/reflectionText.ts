/** The reflections of a run in plain words: the plan, what it found, why it was changed and how. */
import type { Json, JsonObject, RunEvent } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { oneLine } from "../terminal/text.ts"
import { changesText, reflectionsIn, type Reflection } from "./reflections.ts"

type Row = readonly [label: string, lines: ReadonlyArray<string>]

interface Described {
  readonly title: string
  readonly rows: ReadonlyArray<Row>
}

/** In the order of the run; those that left the plan as it was are left out. */
export const describedReflections = (events: ReadonlyArray<RunEvent>): ReadonlyArray<Described> =>
  reflectionsIn(events).map((reflection) => ({
    title: `reflection after round ${reflection.round + 1}`,
    rows: rowsOf(reflection, events).filter(([, lines]) => lines.some((line) => line !== "")),
  }))

const rowsOf = (reflection: Reflection, events: ReadonlyArray<RunEvent>): ReadonlyArray<Row> => {
  const { missing, path, reasoning, strategy } = reflection
  const after = objectsIn(outputOf(events, path)?.["plan"], "steps")
  const calls = callsBefore(events, path)
  return [
    ["plan", distinct(calls.map((call) => stepText(call["step"], call)))],
    ["found", distinct(calls.map(({ error, summary }) => oneLine(String(error ?? summary ?? ""))))],
    ["missing", distinct(missing.map(({ reason }) => oneLine(reason)))],
    ["diagnosis", [oneLine(reasoning)]],
    ["strategy", [oneLine(strategy)]],
    ["the user read", [thinkingAt(events, path)]],
    ["new plan", after.map((step) => stepText(step["id"], step))],
    ["difference", [oneLine(changesText([reflection]))]],
  ]
}

const stepText = (id: Json | undefined, { params, tool }: JsonObject): string => {
  const values = Object.entries(isObject(params) ? (params as JsonObject) : {}).map(
    ([name, value]) =>
      `${name} ${typeof value === "string" ? `"${value}"` : JSON.stringify(value)}`,
  )
  return oneLine(
    `${String(id)}: ${String(tool)}${values.length === 0 ? "" : ` with ${values.join(", ")}`}`,
  )
}

/** The calls whose results were reflected on: those of the last stage with calls before it. */
const callsBefore = (events: ReadonlyArray<RunEvent>, path: string): ReadonlyArray<JsonObject> => {
  const end = events.findLastIndex((one) => one.type === "Noted" && one.path === path)
  const stage = events
    .slice(0, end)
    .findLast((one) => one.type === "StageFinished" && objectsIn(one.output, "calls").length > 0)
  return stage?.type === "StageFinished" ? objectsIn(stage.output, "calls") : []
}

const outputOf = (events: ReadonlyArray<RunEvent>, path: string): JsonObject | undefined => {
  const end = events.findLast((one) => one.type === "StageFinished" && one.path === path)
  return end?.type === "StageFinished" && isObject(end.output)
    ? (end.output as JsonObject)
    : undefined
}

const thinkingAt = (events: ReadonlyArray<RunEvent>, path: string): string => {
  const said = events.findLast(
    (one) => one.type === "Noted" && one.note === "thinking" && one.path === path,
  )
  return said?.type === "Noted" ? oneLine(said.text ?? "") : ""
}

const objectsIn = (value: Json | undefined, name: string): ReadonlyArray<JsonObject> => {
  const list = isObject(value) ? (value as JsonObject)[name] : undefined
  return Array.isArray(list) ? list.filter((one: Json): one is JsonObject => isObject(one)) : []
}

const distinct = (lines: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(lines)]
