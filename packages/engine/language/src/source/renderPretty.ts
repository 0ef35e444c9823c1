/** Renders diagnostics for a terminal: place, message, the marked line, and help. */
import { placeText, type Diagnostic } from "./Diagnostic.ts"
import { displayWidth } from "./displayWidth.ts"
import { lineText } from "./SourceFile.ts"
import type { SourceFile } from "./SourceFile.ts"

export interface PrettyOptions {
  readonly color?: boolean
  readonly width?: number
  readonly sources?: ReadonlyMap<string, SourceFile>
}

type Paint = (text: string) => string

interface Paints {
  readonly bold: Paint
  readonly dim: Paint
  readonly error: Paint
  readonly warning: Paint
  readonly note: Paint
  readonly help: Paint
}

const plain: Paint = (text) => text
const ansi =
  (open: number, close: number): Paint =>
  (text) =>
    text === "" ? "" : `\u001B[${open}m${text}\u001B[${close}m`

const withColor: Paints = {
  bold: ansi(1, 22),
  dim: ansi(2, 22),
  error: ansi(31, 39),
  warning: ansi(33, 39),
  note: ansi(34, 39),
  help: ansi(36, 39),
}
const without: Paints = {
  bold: plain,
  dim: plain,
  error: plain,
  warning: plain,
  note: plain,
  help: plain,
}

export const renderPretty = (
  diagnostics: ReadonlyArray<Diagnostic>,
  options: PrettyOptions,
): string => {
  if (diagnostics.length === 0) return ""
  const paints = options.color === true ? withColor : without
  const secrets = diagnostics.filter(({ secret }) => secret === true)
  const blocks = diagnostics.map((one) => renderOne(one, options, paints, secrets))
  return `${blocks.join("\n")}\n${summary(diagnostics)}\n`
}

const renderOne = (
  one: Diagnostic,
  options: PrettyOptions,
  paints: Paints,
  secrets: ReadonlyArray<Place>,
): string => {
  const { code, given, help, message, severity, stack, withheld } = one
  const place = paints.bold(printable(placeText(one)))
  const lines = [
    `${place} ${paints[severity](severity)} ${paints.dim(code)} ${printable(message)}`,
    ...(given === undefined && withheld === undefined ? frame(one, options, paints, secrets) : []),
  ]
  if (help !== undefined) lines.push(`  ${paints.help("help:")} ${printable(help)}`)
  if (stack !== undefined) lines.push(...stack.split("\n").map((line) => `  ${printable(line)}`))
  return `${lines.join("\n")}\n`
}

type Place = Pick<Diagnostic, "file" | "start" | "end">

/** Leading characters of a secret that are printed, so that its owner recognizes it. */
const SHOWN_SECRET_CHARS = 6

/** A line without the rest of the secret, because reports end up in logs. `number` counts from 1. */
const concealed = (line: string, number: number, { end, start }: Place): string => {
  const from = number > start.line ? 0 : start.col - 1 + SHOWN_SECRET_CHARS
  const to = number < end.line ? line.length : end.col - 1
  return to <= from ? line : line.slice(0, from) + "•".repeat(to - from) + line.slice(to)
}

/** The line in which a place begins and a marker below it; empty when the source is not given. */
export const codeFrame = (place: Place, options: PrettyOptions): ReadonlyArray<string> =>
  frame({ ...place, severity: "error" }, options, options.color === true ? withColor : without, [])

const frame = (
  one: Place & Pick<Diagnostic, "severity">,
  options: PrettyOptions,
  paints: Paints,
  secrets: ReadonlyArray<Place>,
): ReadonlyArray<string> => {
  const source = options.sources?.get(one.file)
  if (!source || source.text === "") return []
  const line = secrets
    .filter(({ end, file, start }) => file === one.file && isWithin(one.start.line, start, end))
    .reduce(
      (written, secret) => concealed(written, one.start.line, secret),
      lineText(source, one.start.line),
    )
  const number = String(one.start.line)
  const room = Math.max(20, (options.width ?? 120) - number.length - 5)
  const from = one.start.col - 1
  const to = one.end.line > one.start.line ? line.length : Math.max(from, one.end.col - 1)
  const cut = cutAround(printable(line), from, to, room)
  const before = displayWidth(cut.text.slice(0, cut.from))
  const marked = Math.max(1, displayWidth(cut.text.slice(cut.from, cut.to)))
  const gutter = " ".repeat(number.length)
  return [
    `  ${paints.dim(`${number} |`)} ${cut.text.trimEnd()}`,
    `  ${paints.dim(`${gutter} |`)} ${" ".repeat(before)}${paints[one.severity]("^".repeat(marked))}`,
  ]
}

const isWithin = (line: number, start: Place["start"], end: Place["end"]): boolean =>
  start.line <= line && line <= end.line

/** Cuts a line to the width around the marked place; offsets are adjusted. */
const cutAround = (
  line: string,
  from: number,
  to: number,
  room: number,
): { readonly text: string; readonly from: number; readonly to: number } => {
  if (line.length <= room) return { text: line, from, to: Math.min(to, line.length) }
  const start = from <= room - 10 ? 0 : Math.max(0, Math.min(from - 10, line.length - room + 1))
  const end = start + room - (start > 0 ? 2 : 1)
  const head = start > 0 ? "…" : ""
  const shift = start - head.length
  return {
    text: `${head}${line.slice(start, end)}${end < line.length ? "…" : ""}`,
    from: from - shift,
    to: Math.min(to, end) - shift,
  }
}

/** Replaces control characters, so that a file cannot send codes to the terminal. */
const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are searched for
  text.replace(/[\u0000-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, " ")

const summary = (diagnostics: ReadonlyArray<Diagnostic>): string => {
  const count = (severity: Diagnostic["severity"]): string | undefined => {
    const found = diagnostics.filter((one) => one.severity === severity).length
    return found === 0 ? undefined : `${found} ${severity}${found === 1 ? "" : "s"}`
  }
  return [count("error"), count("warning"), count("note")]
    .filter((part) => part !== undefined)
    .join(", ")
}
