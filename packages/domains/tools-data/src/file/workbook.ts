/** Reads the sheets of an Excel workbook (`.xlsx`) as records of text. */
import { createReadStream } from "node:fs"
import { readFile } from "node:fs/promises"
import { Readable } from "node:stream"
import type { CellValue, MergeRange } from "hucre/xlsx"
import type { DataFile } from "./DataFile.ts"
import type { Record } from "./records.ts"

/** Packed and unpacked size of a workbook: what Excel writes for a million rows stays below. */
const MAX_PACKED_BYTES = 256 * 1024 ** 2
const MAX_UNPACKED_BYTES = 2 * 1024 ** 3
/** Unpacked size up to which a sheet is read as a whole: only then its merged cells and formulas are known. */
const MAX_WHOLE_BYTES = 128 * 1024 ** 2

/** Sum of the sizes that a ZIP archive declares. The reader refuses entries that are larger than declared. */
const unpackedBytes = (zip: Buffer): number => {
  const end = zip.lastIndexOf("PK\u0005\u0006", undefined, "latin1")
  if (end < 0) throw new Error("it is not an Excel workbook (.xlsx)")
  let at = zip.readUInt32LE(end + 16)
  let sum = 0
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    sum += zip.readUInt32LE(at + 24)
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return sum
}

interface Workbook {
  readonly bytes: Buffer
  readonly isSmall: boolean
}

const openWorkbook = async ({ real, size }: DataFile): Promise<Workbook> => {
  if (size > MAX_PACKED_BYTES) throw new Error("the workbook is larger than 256 MiB")
  const bytes = await readFile(real)
  const unpacked = unpackedBytes(bytes)
  if (unpacked > MAX_UNPACKED_BYTES) throw new Error("the workbook unpacks to more than 2 GiB")
  return { bytes, isSmall: unpacked <= MAX_WHOLE_BYTES }
}

/** Names of the visible sheets, in their order. */
export const sheetsOf = async (file: DataFile): Promise<ReadonlyArray<string>> => {
  const { readXlsx } = await import("hucre/xlsx")
  const { bytes } = await openWorkbook(file)
  const names: Array<string> = []
  await readXlsx(bytes, {
    sheets: ({ hidden, name, veryHidden }) => {
      if (hidden !== true && veryHidden !== true) names.push(name)
      return false
    },
  })
  return names
}

/** Excel writes a time of day as a moment of its first days. */
const FIRST_YEAR = 1901

const textOf = (value: CellValue | undefined): string => {
  if (value === null || value === undefined) return ""
  if (!(value instanceof Date)) return String(value)
  const [day, time] = value.toISOString().slice(0, 19).split("T")
  if (value.getUTCFullYear() < FIRST_YEAR) return time!
  return time === "00:00:00" ? day! : `${day}T${time}`
}

/** Repeats the value of cells that are merged over several rows of one column. */
const filled = (rows: ReadonlyArray<ReadonlyArray<string>>, merges: ReadonlyArray<MergeRange>) => {
  const result = rows.map((row) => [...row])
  const down = merges.filter(({ endCol, startCol }) => startCol === endCol)
  for (const { endRow, startCol, startRow } of down)
    for (let row = startRow + 1; row <= endRow; row++) {
      const cells = (result[row] ??= [])
      while (cells.length < startCol) cells.push("")
      cells[startCol] = result[startRow]?.[startCol] ?? ""
    }
  return { rows: result, count: down.length }
}

export interface Sheet {
  readonly records: () => AsyncIterable<Record>
  readonly notes: ReadonlyArray<string>
}

const wholeSheet = async (bytes: Buffer, name: string): Promise<Sheet> => {
  const { readXlsx } = await import("hucre/xlsx")
  const sheet = (await readXlsx(bytes, { sheets: [name] })).sheets[0]!
  const texts = Array.from(sheet.rows, (row) => (row ?? []).map(textOf))
  const { count, rows } = filled(texts, sheet.merges ?? [])
  const formulas = [...(sheet.cells?.values() ?? [])].filter(
    // The result of a formula that cells share, and of one that gives text, is the value of the cell alone.
    ({ formula, formulaResult, value }) =>
      formula !== undefined && (formulaResult ?? value ?? null) === null,
  ).length
  return {
    records: async function* () {
      for (const [index, cells] of rows.entries()) yield { cells: cells ?? [], line: index + 1 }
    },
    notes: [
      ...(count === 0 ? [] : ["The value of merged cells counts for each of their rows."]),
      ...(formulas === 0
        ? []
        : [
            `${formulas} ${formulas === 1 ? "formula has" : "formulas have"} no stored result and ${formulas === 1 ? "counts" : "count"} as missing: open and save the workbook in a spreadsheet program.`,
          ]),
    ],
  }
}

const streamedSheet = async function* (file: DataFile, name: string): AsyncIterable<Record> {
  const { streamXlsxRows } = await import("hucre/xlsx")
  const bytes = Readable.toWeb(createReadStream(file.real)) as ReadableStream<Uint8Array>
  for await (const { index, values } of streamXlsxRows(bytes, { sheet: name }))
    yield { cells: values.map(textOf), line: index + 1 }
}

/** The rows of a sheet. Formulas count by their stored results. */
export const sheetOf = async (file: DataFile, name: string): Promise<Sheet> => {
  const { bytes, isSmall } = await openWorkbook(file)
  if (isSmall) return wholeSheet(bytes, name)
  const notes = ["The sheet is large: of merged cells only the first has their value."]
  return { records: () => streamedSheet(file, name), notes }
}
