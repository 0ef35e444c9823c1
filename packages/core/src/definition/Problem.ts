/** A problem at a path of a document, before it has lines and columns. */
import type { Diagnostic, Severity } from "../source/Diagnostic.ts"
import type { Document, DocumentPath, Spot } from "../source/Document.ts"

export interface Problem {
  readonly code: string
  readonly message: string
  readonly path: DocumentPath
  readonly spot?: Spot
  /** The characters of a text value that are meant, when not all of them. */
  readonly within?: { readonly from: number; readonly to: number }
  readonly help?: string | undefined
  readonly severity?: Severity
}

/** Puts a problem at its place in the file. */
export const locateProblem = (document: Document, problem: Problem): Diagnostic => {
  const { code, message, path, spot, within, help, severity = "error" } = problem
  const span = within
    ? document.spanWithin(path, within.from, within.to)
    : document.spanOf(path, spot)
  return {
    code,
    severity,
    message,
    file: document.file.path,
    start: span.start,
    end: span.end,
    ...(help === undefined ? {} : { help }),
  }
}
