/** A file of rows → its rows, one by one, as its name ends: .jsonl, .csv, .yaml or .json. They are data, and nothing else. */
import { createReadStream } from "node:fs"
import { extname } from "node:path"
import { parseDocument, isSourceFile, readSourceFile } from "@planloom/language"
import { csvRows } from "./csv.ts"
import { jsonLines } from "./jsonLines.ts"
import type { ReadRow } from "./ReadRow.ts"

/** Files of rows end in one of these. */
const formats: { readonly [ending: string]: (path: string) => AsyncGenerator<ReadRow> } = {
  ".jsonl": (path) => jsonLines(textOf(path)),
  ".ndjson": (path) => jsonLines(textOf(path)),
  ".csv": (path) => csvRows(textOf(path)),
  ".yaml": listed,
  ".yml": listed,
  ".json": listed,
}

/** Why a file cannot be one of rows, by its name; undefined when it can. */
export const rowsMisnamed = (path: string): string | undefined =>
  Object.hasOwn(formats, extname(path).toLowerCase())
    ? undefined
    : `rows are read from files that end in ${Object.keys(formats).join(", ")}`

/** Streams: a file of any length takes little memory, but for YAML and JSON, of which at most 1 MiB is read. */
export async function* readRows(path: string): AsyncGenerator<ReadRow> {
  const read = formats[extname(path).toLowerCase()]
  if (read === undefined) {
    yield { line: 1, problem: rowsMisnamed(path)!, last: true }
    return
  }
  try {
    yield* read(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8 text" : message
    yield { line: 1, problem: `the rows cannot be read: ${why}`, last: true }
  }
}

/** Without a byte order mark. */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  for await (const bytes of createReadStream(path) as AsyncIterable<Uint8Array>) {
    yield decoder.decode(bytes, { stream: true })
  }
  yield decoder.decode()
}

/** A list of rows in YAML, of which JSON is a part. */
async function* listed(path: string): AsyncGenerator<ReadRow> {
  const file = await readSourceFile(path)
  if (!isSourceFile(file)) {
    const more = file.message.includes("MiB")
      ? "; .jsonl and .csv are read whatever their length"
      : ""
    yield { line: 1, problem: `${file.message}${more}`, last: true }
    return
  }
  const { diagnostics, document } = parseDocument(file)
  const [first] = diagnostics
  if (first !== undefined || document === undefined) {
    // A file without anything has no rows, which is for the reader to say.
    if (first?.code === "PL0002") return
    yield {
      line: first?.start.line ?? 1,
      problem: first?.message ?? "it cannot be read",
      last: true,
    }
    return
  }
  const { value } = document
  if (!Array.isArray(value)) {
    yield { line: 1, problem: "the file must be a list of rows", last: true }
    return
  }
  for (const [index, entry] of value.entries()) {
    yield { line: document.spanOf([index]).start.line, value: entry }
  }
}
