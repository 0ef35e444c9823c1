/** Implements `planloom check`: reports the diagnostics of files without running them. */
import * as Effect from "effect/Effect"
import {
  checkFile,
  report,
  rules,
  withoutNotes,
  type CheckedFile,
  type Diagnostic,
  type LoadOptions,
  type SourceFile,
} from "@planloom/language"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { loadOptions } from "../project/loadOptions.ts"
import { namedFiles } from "../project/projectFiles.ts"
import { readText } from "../project/readText.ts"
import { quietConsole } from "../project/withWorkflow.ts"
import { problem, usage } from "../Refused.ts"
import { doing } from "../terminal/activity.ts"
import { plural } from "../terminal/quantity.ts"
import { ShowsStacks } from "../debugFlag.ts"
import { say, stderr, stdout, textWidth } from "../terminal/Screen.ts"

export interface CheckFlags extends ReadingFlags {
  readonly paths: ReadonlyArray<string>
  readonly format: "pretty" | "json" | "sarif" | "github"
  readonly maxWarnings: number | undefined
  readonly fix: boolean
}

/** Name of standard input in diagnostics. Paths in it are relative to the working folder. */
const STDIN = "<stdin>"

export const checkFiles: Handler<CheckFlags> = (flags) =>
  Effect.gen(function* () {
    if ((flags.maxWarnings ?? 0) < 0) return yield* usage("--max-warnings cannot be below 0")
    yield* quietConsole
    const named = yield* Effect.promise(() => namedFiles(flags.paths))
    if (named.length === 0) {
      return yield* flags.paths.length === 0
        ? problem("found no files to check here", "start a project: planloom init")
        : problem(`found no YAML files in ${flags.paths.join(", ")}`)
    }
    const texts = new Map(named.includes("-") ? [[STDIN, yield* readText("-")]] : [])
    const options = { ...(yield* loadOptions(flags)), texts }
    const files = named.map((path) => (path === "-" ? STDIN : path))
    if (flags.fix) {
      if (named.includes("-")) return yield* usage("--fix writes files: name them instead of -")
      yield* fixAll(files, options)
    }
    const checked = yield* Effect.forEach(files, (file) =>
      Effect.suspend(() => {
        doing(`checking ${file}`)
        return checkFile(file, options)
      }),
    )
    const { diagnostics, sources } = merge(checked)
    const { style } = stdout
    stdout.write(
      report(diagnostics, {
        format: flags.format,
        color: style.color,
        width: textWidth(stdout),
        sources,
        rules,
        stacks: yield* ShowsStacks,
      }),
    )
    const errors = diagnostics.filter(({ severity }) => severity === "error").length
    const warnings = diagnostics.filter(({ severity }) => severity === "warning").length
    const tooMany = flags.maxWarnings !== undefined && warnings > flags.maxWarnings
    if (flags.format === "pretty") {
      const last = lastLine(withoutNotes(diagnostics), files.length)
      if (last !== undefined) say(last)
      const certain = diagnostics.filter(({ fix }) => fix !== undefined).length
      if (certain > 0 && !flags.fix) {
        say(
          stderr.style.dim(
            `${plural(certain, "edit")} certain: planloom check --fix applies ${certain === 1 ? "it" : "them"}`,
          ),
        )
      }
      if (tooMany) say(`more than ${plural(flags.maxWarnings!, "warning")} (--max-warnings)`)
    }
    return (errors > 0 || tooMany ? "problems" : "ok") as ExitName
  })

/** Applies the certain edits, and says which. */
const fixAll = (files: ReadonlyArray<string>, options: LoadOptions) =>
  Effect.gen(function* () {
    const { fixed, fixLine, writeFixed } = yield* Effect.promise(() => import("./fixFiles.ts"))
    const found = yield* fixed(files, options)
    yield* writeFixed(found)
    for (const one of found.applied) say(fixLine(one))
    say(
      found.applied.length === 0
        ? "no edit is certain here"
        : `${plural(found.applied.length, "edit")} in ${plural(found.texts.size, "file")}`,
    )
  })

/** Merges the results; a diagnostic of a file that several files refer to is reported once. */
const merge = (checked: ReadonlyArray<CheckedFile>) => {
  const seen = new Map<string, Diagnostic>()
  const sources = new Map<string, SourceFile>()
  for (const one of checked) {
    for (const diagnostic of one.diagnostics) {
      const { code, file, message, start } = diagnostic
      seen.set(`${file}\0${start.offset}\0${code}\0${message}`, diagnostic)
    }
    for (const [path, source] of one.sources) sources.set(path, source)
  }
  return { diagnostics: [...seen.values()], sources }
}

/** Returns the line below the report: success, or where to read more. Codes of plugins have no page. */
const lastLine = (diagnostics: ReadonlyArray<Diagnostic>, files: number): string | undefined => {
  const { style } = stderr
  if (diagnostics.length === 0) return `${style.good("✓")} no problems in ${plural(files, "file")}`
  const known = diagnostics.find(({ code }) => code.startsWith("PL"))
  return known === undefined ? undefined : style.dim(`details: planloom explain ${known.code}`)
}
