/** A problem at a path of a document, before it has lines and columns. */
import type { Diagnostic, Severity } from "../source/Diagnostic.ts"
import type { Document, DocumentPath, Spot } from "../source/Document.ts"
import { edit } from "../source/SourceFile.ts"
import { replacementOf, type Fix } from "./Fix.ts"

export interface Problem {
  readonly code: string
  readonly message: string
  readonly path: DocumentPath
  readonly spot?: Spot
  /** The range of characters of a text value, unless all of it is meant. */
  readonly within?: { readonly from: number; readonly to: number }
  /** The place contains a secret, which must not be printed. */
  readonly secret?: true
  readonly help?: string | undefined
  /** The edit that certainly removes it. */
  readonly fix?: Fix | undefined
  readonly severity?: Severity
  /** Where the code of a plugin threw. */
  readonly stack?: string
}

/** Turns a problem into a diagnostic with its position in the file. */
export const locateProblem = (document: Document, problem: Problem): Diagnostic => {
  const { code, message, path, secret, spot, stack, within, help, severity = "error" } = problem
  const set = document.setBy?.(path)
  const { file } = document
  const change =
    problem.fix === undefined || set !== undefined || secret !== undefined
      ? undefined
      : replacementOf(document, problem, problem.fix)
  const span =
    within && set === undefined
      ? document.spanWithin(path, within.from, within.to)
      : document.spanOf(path, spot)
  return {
    code,
    severity,
    message: set === undefined ? message : `${message} (set from outside the file: ${set})`,
    file: file.path,
    start: span.start,
    end: span.end,
    ...(secret === undefined ? {} : { secret }),
    ...(help === undefined ? {} : { help }),
    ...(change === undefined
      ? {}
      : {
          fix: edit(file, change.from, change.to, change.text),
        }),
    ...(stack === undefined ? {} : { stack }),
  }
}
