/** Renders diagnostics for people, editors and CI. */
import type { Diagnostic } from "./Diagnostic.ts"
import { sortDiagnostics } from "./Diagnostic.ts"
import { renderPretty } from "./renderPretty.ts"
import { renderSarif } from "./renderSarif.ts"
import type { RuleFacts } from "./renderSarif.ts"
import type { SourceFile } from "./SourceFile.ts"

export const reportFormats = ["pretty", "json", "github", "sarif"] as const
export type ReportFormat = (typeof reportFormats)[number]

export interface ReportOptions {
  readonly format?: ReportFormat
  /** Set it only for a terminal, and never with NO_COLOR set. */
  readonly color?: boolean
  /** Columns of the terminal; longer lines are cut around the marked place. */
  readonly width?: number
  /** Files by path, for the lines that are shown. */
  readonly sources?: ReadonlyMap<string, SourceFile>
  /** Whether stacks of plugins that threw are part of the report. */
  readonly stacks?: boolean
  /** Descriptions of codes, for `sarif`. */
  readonly rules?: ReadonlyArray<RuleFacts>
}

export const report = (
  diagnostics: ReadonlyArray<Diagnostic>,
  options: ReportOptions = {},
): string => {
  const all = sortDiagnostics(diagnostics)
  const shown = options.stacks === true ? all : all.map(({ stack: _, ...one }) => one)
  const sorted = shown.map((one) => withNextStep(one, options.rules ?? []))
  switch (options.format ?? "pretty") {
    case "json":
      return `${JSON.stringify(sorted, null, 2)}\n`
    case "github":
      return sorted.map(renderGithub).join("")
    case "sarif":
      return renderSarif(sorted, options.rules ?? [])
    default:
      return renderPretty(sorted, options)
  }
}

/** A message that says nothing of its own on what to do has what holds for its code. */
const withNextStep = (one: Diagnostic, rules: ReadonlyArray<RuleFacts>): Diagnostic => {
  const fix = one.help === undefined ? rules.find(({ code }) => code === one.code)?.fix : undefined
  return fix === undefined ? one : { ...one, help: fix }
}

/** A workflow command of GitHub Actions, which annotates the line in a pull request. */
const renderGithub = (one: Diagnostic): string => {
  const { code, end, file, given, help, message, severity, start } = one
  const endCol = end.line === start.line && end.col > start.col ? `,endColumn=${end.col}` : ""
  const where = `file=${property(file)},line=${start.line},endLine=${end.line},col=${start.col}${endCol}`
  const full = given === undefined ? message : `${given}: ${message}`
  const text = help === undefined ? full : `${full}\nhelp: ${help}`
  const command = severity === "note" ? "notice" : severity
  if (given !== undefined) return `::${command} title=${property(code)}::${data(text)}\n`
  return `::${command} ${where},title=${property(code)}::${data(text)}\n`
}

/** The escapes of workflow commands (actions/toolkit, command.ts). */
const data = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")
const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C")
