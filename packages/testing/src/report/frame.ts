/** The line a span begins in, with marks under what is meant. */
import type { SourceFile, Span } from "@planloom/core"

/** Two lines, or none when the file is not at hand. */
export const frame = (
  file: SourceFile | undefined,
  { end, start }: Span,
): ReadonlyArray<string> => {
  const line = file?.text.split("\n")[start.line - 1]?.replace(/\r$/, "")
  if (line === undefined) return []
  const gutter = String(start.line)
  const last = end.line === start.line ? end.col : line.length + 1
  const marks = "^".repeat(Math.max(1, last - start.col))
  // Tabs stay tabs, so that the marks stand where the text does.
  const indent = line.slice(0, start.col - 1).replace(/[^\t]/g, " ")
  return [`${gutter} | ${line}`, `${" ".repeat(gutter.length)} | ${indent}${marks}`]
}
