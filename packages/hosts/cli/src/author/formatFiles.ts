/** Implements `planloom fmt`: formats YAML files, or checks their format. */
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { namedFiles } from "../project/projectFiles.ts"
import { readText } from "../project/readText.ts"
import { problem, unwritten } from "../Refused.ts"
import { plural } from "../terminal/quantity.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { replaceFile } from "./replaceFile.ts"

export interface FormatFlags {
  readonly paths: ReadonlyArray<string>
  readonly check: boolean
}

export const formatFiles: Handler<FormatFlags> = (flags) =>
  Effect.gen(function* () {
    const files = yield* Effect.promise(() => namedFiles(flags.paths))
    if (files.length === 0) return yield* problem("no YAML files found here")
    const { format, report, sourceFile } = yield* Effect.promise(() => import("@planloom/language"))
    let changed = 0
    let broken = 0
    for (const file of files) {
      const before = yield* readText(file)
      const source = sourceFile(file === "-" ? "<stdin>" : file, before)
      const formatted = format(source)
      if (formatted.diagnostics.length > 0) {
        broken++
        say(
          report(formatted.diagnostics, {
            color: stderr.style.color,
            width: textWidth(stderr),
            sources: new Map([[source.path, source]]),
          }),
        )
        continue
      }
      if (file === "-" && !flags.check) {
        stdout.write(formatted.text)
        continue
      }
      if (formatted.text === before) continue
      changed++
      print(file)
      if (!flags.check) yield* write(file, formatted.text)
    }
    say(stderr.style.dim(summary(files.length, changed, flags.check)))
    return (broken > 0 || (flags.check && changed > 0) ? "problems" : "ok") as ExitName
  })

const write = (file: string, text: string) =>
  Effect.tryPromise({
    try: () => replaceFile(file, text),
    catch: (error) => unwritten(`${file} cannot be written`, error),
  })

const summary = (files: number, changed: number, check: boolean): string => {
  if (changed === 0) return `${plural(files, "file")}, all formatted`
  return check
    ? `${changed} of ${plural(files, "file")} not formatted; fix: planloom fmt`
    : `${changed} of ${plural(files, "file")} formatted`
}
