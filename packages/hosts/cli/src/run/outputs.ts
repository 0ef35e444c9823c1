/** Formats the outputs of a run for a terminal: text, tables, and paths of written files. */
import { isJsonObject, type Json, type JsonObject } from "@planloom/plugin/effect"
import { plainTable, type PlainTable } from "@planloom/tables"
import { outline } from "../terminal/outline.ts"
import type { Screen } from "../terminal/Screen.ts"
import { table, type TableColumn } from "../terminal/table.ts"
import { oneLine, visible, wrap } from "../terminal/text.ts"

/** Maximum number of shown rows; the files of `--out` hold all of them. */
const MAX_ROWS = 20

export type Show = Pick<Screen, "style"> & { readonly width: number }

/** `files` maps output names to written files. A text that comes first is printed without a title; empty outputs are last, each on a line. */
export const showOutputs = (
  outputs: JsonObject,
  files: ReadonlyMap<string, string>,
  show: Show,
): string => {
  const entries = Object.entries(outputs)
  const lines = linesIn(entries.map(([, value]) => value))
  const shown = entries.flatMap(([name, value]) => {
    const text = textOf(value, show, { file: files.get(name), lines })
    return text === undefined ? [] : [{ name, text }]
  })
  const blocks = shown.map(({ name, text }, index) =>
    index === 0 && typeof outputs[name] === "string"
      ? text
      : `${show.style.bold(titleOf(name, outputs[name]!))}\n${text}`,
  )
  const short = [...emptyOf(entries), ...files]
  const names = Math.max(0, ...short.map(([name]) => name.length))
  const lined = short.map(([name, text]) => `${show.style.bold(name.padEnd(names))}  ${text}`)
  return [...blocks, ...(lined.length === 0 ? [] : [lined.join("\n")])].join("\n\n")
}

/** Null, an empty list and an empty object, as JSON. */
const emptyOf = (entries: ReadonlyArray<readonly [string, Json]>) =>
  entries.flatMap(([name, value]): ReadonlyArray<readonly [string, string]> =>
    isEmpty(value) ? [[name, JSON.stringify(value)]] : [],
  )

const isEmpty = (value: Json): boolean =>
  value === null || (typeof value === "object" && Object.keys(value).length === 0)

/** Whole lines of the texts among the values: a note that is one of them, with or without its label, needs no second line. */
export const linesIn = (values: ReadonlyArray<Json>): ReadonlySet<string> =>
  new Set(
    values
      .flatMap((value) =>
        typeof value === "string" ? value.split("\n") : isTexts(value) ? value : [],
      )
      .map(asNote),
  )

/** Whether a note is a line of the outputs. */
export const isLine = (note: string, lines: ReadonlySet<string>): boolean => lines.has(asNote(note))

const asNote = (line: string): string =>
  oneLine(line)
    .replace(/^Note: /, "")
    .replace(/\.$/, "")

/** The file of an output, and the lines of the texts among the outputs. */
interface Beside {
  readonly file: string | undefined
  readonly lines: ReadonlySet<string>
}

const titleOf = (name: string, value: Json): string => {
  const title = plainTable(value, 0)?.title
  return title === undefined ? name : oneLine(title)
}

/** Formats a value; undefined for one that is empty, and for charts and reports, which are files. */
const textOf = (value: Json, show: Show, beside: Beside): string | undefined => {
  if (isEmpty(value)) return undefined
  if (typeof value === "string") {
    return /^\s*<(svg|!doctype html|html)\b/i.test(value)
      ? undefined
      : wrap(visible(value), show.width).join("\n").trimEnd()
  }
  const grid = plainTable(value, MAX_ROWS)
  if (grid !== undefined) return tableText(grid, show, beside)
  const type = isJsonObject(value) ? value["type"] : undefined
  if (type === "chart" || type === "report") return undefined
  if (typeof value !== "object") return String(value)
  if (isTexts(value)) return value.map((text) => `- ${oneLine(text)}`).join("\n")
  return outline(value, show.width).join("\n")
}

const isTexts = (value: Json): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((one) => typeof one === "string")

const tableText = (
  { heads, more, notes, rows }: PlainTable,
  { style, width }: Show,
  { file, lines: outputLines }: Beside,
): string => {
  const columns = heads.map(({ isNumeric, text }): TableColumn => ({
    head: oneLine(text),
    align: isNumeric ? "right" : "left",
  }))
  const lines = table(
    columns,
    rows.map((row) => row.map(oneLine)),
    width,
    style.dim,
  )
  return [
    ...(rows.length === 0 ? [style.dim("no rows")] : lines),
    ...(more > 0 ? [style.dim(moreText(rows.length, more, file))] : []),
    ...notes
      .filter((note) => !isLine(note, outputLines))
      .flatMap((note) => wrap(`note: ${oneLine(note)}`, width).map(style.dim)),
  ].join("\n")
}

const moreText = (shown: number, more: number, file: string | undefined): string => {
  const [first, all] = [shown, shown + more].map((count) => count.toLocaleString("en-US"))
  return `first ${first} of ${all} rows; ${file === undefined ? "--out <folder> writes all of them" : `all of them are in ${file}`}`
}
