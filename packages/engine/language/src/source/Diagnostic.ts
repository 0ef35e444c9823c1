/** A problem at one place of a file, as `check` prints it and editors and CI read it. */

/** Lines and columns count from 1, in UTF-16 units; the offset counts from 0. */
export interface Position {
  readonly line: number
  readonly col: number
  readonly offset: number
}

/** From `start` up to, not including, `end`. */
export interface Span {
  readonly start: Position
  readonly end: Position
}

/** An edit of a file. */
export interface Edit extends Span {
  readonly file: string
  /** The text in place of the range. */
  readonly text: string
}

/** A note is no problem: it says what only a run can show. */
export type Severity = "error" | "warning" | "note"

export interface Diagnostic extends Span {
  /** `PL1201`; `explain(code)` describes it. */
  readonly code: string
  readonly severity: Severity
  /** One sentence: what is wrong, in the words of the file. */
  readonly message: string
  /** The path as the user gave it. */
  readonly file: string
  /** The option or variable at fault, when it is not in the file: `--env prd`, `PLANLOOM_FLAG_CAREFUL`. */
  readonly given?: string
  /** The place contains a secret: reports do not print it. */
  readonly secret?: true
  /** The file is outside the project: reports print none of its lines. */
  readonly withheld?: true
  /** How to fix it, or a suggestion. */
  readonly help?: string
  /** The edit that certainly removes it; `planloom check --fix` applies it. */
  readonly fix?: Edit
  /** Where the code of a plugin threw; reports print it on request. */
  readonly stack?: string
}

/** `flow.yaml:3:7`, or the option or variable at fault. */
export const placeText = ({
  file,
  given,
  start,
}: Pick<Diagnostic, "file" | "given" | "start">): string =>
  given ?? `${file}:${start.line}:${start.col}`

/** Reading order: by file, then place, then code. */
const compareDiagnostics = (a: Diagnostic, b: Diagnostic): number =>
  (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
  a.start.offset - b.start.offset ||
  a.end.offset - b.end.offset ||
  (a.code < b.code ? -1 : a.code > b.code ? 1 : 0)

/** In reading order, each problem once. */
export const sortDiagnostics = (
  diagnostics: ReadonlyArray<Diagnostic>,
): ReadonlyArray<Diagnostic> => {
  const seen = new Set<string>()
  return diagnostics.toSorted(compareDiagnostics).filter((one) => {
    const key = `${one.file}\0${one.start.offset}\0${one.code}\0${one.message}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Without notes, which commands that run a file leave out. */
export const withoutNotes = (diagnostics: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> =>
  diagnostics.filter((one) => one.severity !== "note")

export const hasErrors = (diagnostics: ReadonlyArray<Diagnostic>): boolean =>
  diagnostics.some((one) => one.severity === "error")
