/** One problem in one file, at one place: what `check` prints, and what editors and CI read. */

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

export type Severity = "error" | "warning"

export interface Diagnostic extends Span {
  /** `PL1201`; `explain(code)` says more. */
  readonly code: string
  readonly severity: Severity
  /** One sentence: what is wrong, in the words of the file. */
  readonly message: string
  /** The path as the user gave it. */
  readonly file: string
  /** What is at fault was given beside the file, and is no place in it: `--env prd`, `PLANLOOM_FLAG_CAREFUL`. */
  readonly given?: string
  /** The place is a secret itself: reports do not print it. */
  readonly secret?: true
  /** The file is outside the project: reports print none of its lines. */
  readonly withheld?: true
  /** How to mend it, or what it could have been. */
  readonly help?: string
}

/** `flow.yaml:3:7`, or what was given beside the file. */
export const placeText = ({
  file,
  given,
  start,
}: Pick<Diagnostic, "file" | "given" | "start">): string =>
  given ?? `${file}:${start.line}:${start.col}`

/** By file, then place, then code: the order in which people read. */
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

export const hasErrors = (diagnostics: ReadonlyArray<Diagnostic>): boolean =>
  diagnostics.some((one) => one.severity === "error")
