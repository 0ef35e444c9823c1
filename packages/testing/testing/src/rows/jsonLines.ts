/** One JSON value on each line, piece by piece. */
import type { ReadRow } from "./ReadRow.ts"

/** Characters of a line; a longer one is not a row that a person wrote. */
const LONGEST = 1024 * 1024

/** Lines without anything are skipped. */
export async function* jsonLines(pieces: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  let line = 1
  let rest = ""
  for await (const piece of pieces) {
    rest += piece
    let from = 0
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n", from)) {
      const row = rowOf(rest.slice(from, end), line)
      if (row !== undefined) yield row
      line++
      from = end + 1
    }
    rest = rest.slice(from)
    if (rest.length > LONGEST) {
      yield { line, problem: "the line is longer than a million characters", last: true }
      return
    }
  }
  const row = rowOf(rest, line)
  if (row !== undefined) yield row
}

const rowOf = (text: string, line: number): ReadRow | undefined => {
  if (text.trim() === "") return undefined
  try {
    return { line, value: JSON.parse(text) }
  } catch (error) {
    return { line, problem: `the line is not JSON: ${(error as Error).message}` }
  }
}
