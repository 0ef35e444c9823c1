/** Comma-separated values as RFC 4180 has them, piece by piece: quoted fields may hold line breaks. */
import type { ReadRow } from "./ReadRow.ts"

interface CsvRecord {
  /** Where it begins, counted from 1. */
  readonly line: number
  readonly fields: ReadonlyArray<string>
}

/** Characters of a record: a longer one is not a row that a person wrote, or has a quote that is not closed. */
const LONGEST = 1024 * 1024

/** The first record names the columns; each further one is a row of texts. Lines without anything are skipped. */
export async function* csvRows(pieces: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  let columns: ReadonlyArray<string> | undefined
  for await (const read of csvRecords(pieces)) {
    if ("problem" in read) {
      yield read
      return
    }
    const { fields, line } = read
    if (columns === undefined) {
      columns = fields.map((name) => name.trim())
      const problem = headProblem(columns)
      if (problem !== undefined) {
        yield { line, problem, last: true }
        return
      }
    } else if (fields.length === columns.length) {
      yield { line, value: Object.fromEntries(columns.map((name, at) => [name, fields[at]!])) }
    } else {
      const problem = `the row has ${fields.length} ${fields.length === 1 ? "field" : "fields"}, the first line names ${columns.length}: ${columns.join(", ")}`
      yield { line, problem }
    }
  }
}

const headProblem = (columns: ReadonlyArray<string>): string | undefined => {
  const nameless = columns.indexOf("")
  if (nameless >= 0) return `column ${nameless + 1} has no name; the first line names the columns`
  const twice = columns.find((name, at) => columns.indexOf(name) !== at)
  return twice === undefined ? undefined : `two columns are called ${twice}`
}

async function* csvRecords(
  pieces: AsyncIterable<string>,
): AsyncGenerator<CsvRecord | (ReadRow & { readonly problem: string })> {
  let line = 1
  let begins = 1
  let fields: Array<string> = []
  let field = ""
  let held = 0
  /** Before a field's first character, in a bare field, in a quoted one, after a quote inside it. */
  let state: "begin" | "bare" | "quoted" | "quote" = "begin"
  let cr = false
  const endField = () => {
    fields.push(field)
    field = ""
    state = "begin"
  }
  const endRecord = (): CsvRecord | undefined => {
    held = 0
    const blank = fields.length === 0 && field === "" && state === "begin"
    if (blank) return undefined
    endField()
    const record = { line: begins, fields }
    fields = []
    return record
  }
  for await (const piece of pieces) {
    for (const char of piece) {
      if (char === "\n" && cr) {
        // The second half of a line break.
        cr = false
        if (state === "quoted") field += char
        continue
      }
      cr = char === "\r"
      if (++held > LONGEST) {
        const why = state === "quoted" ? ": is a quote in it not closed?" : ""
        const problem = `the row is longer than a million characters${why}`
        yield { line: begins, problem, last: true }
        return
      }
      if (state === "quoted") {
        if (char === '"') state = "quote"
        else field += char
        if (char === "\n" || cr) line++
      } else if (char === "\n" || cr) {
        const record = endRecord()
        line++
        begins = line
        if (record !== undefined) yield record
      } else if (char === ",") endField()
      else if (char === '"' && state === "begin") state = "quoted"
      else if (char === '"' && state === "quote") {
        field += char
        state = "quoted"
      } else if (state === "quote") {
        yield {
          line,
          problem: 'text stands behind a closing quote; write "" for a quote',
          last: true,
        }
        return
      } else {
        field += char
        state = "bare"
      }
    }
  }
  if (state === "quoted") {
    yield { line: begins, problem: "a quote that begins here is not closed", last: true }
    return
  }
  const record = endRecord()
  if (record !== undefined) yield record
}
