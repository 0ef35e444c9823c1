/** Splits delimited text into records, whatever their number of cells. */
import { Readable } from "node:stream"
import { parse, type Options } from "csv-parse"
import { parse as parseSync } from "csv-parse/sync"

export interface Record {
  readonly cells: ReadonlyArray<string>
  /** Line of the file that it ends on, from 1. */
  readonly line: number
}

const options = (delimiter: string): Options => ({
  delimiter,
  // Found out by itself, it would be CR if a piece of text ended between CR and LF.
  record_delimiter: ["\r\n", "\n", "\r"],
  bom: true,
  info: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
})

interface Parsed {
  readonly record: ReadonlyArray<string>
  readonly info: { readonly lines: number }
}

const toRecord = ({ info, record }: Parsed): Record => ({ cells: record, line: info.lines })

export const recordsOf = async function* (
  text: AsyncIterable<string>,
  delimiter: string,
): AsyncIterable<Record> {
  const parser = Readable.from(text).pipe(parse(options(delimiter)))
  for await (const parsed of parser as AsyncIterable<Parsed>) yield toRecord(parsed)
}

/** The first records of a text; none if a quote in it has no end. */
export const firstRecords = (
  text: string,
  delimiter: string,
  count: number,
): ReadonlyArray<Record> => {
  try {
    const parsed = parseSync(text, { ...options(delimiter), to: count }) as unknown
    return (parsed as ReadonlyArray<Parsed>).map(toRecord)
  } catch {
    return []
  }
}
