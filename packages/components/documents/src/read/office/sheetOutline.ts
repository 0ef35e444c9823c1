/** The outline of a workbook: each sheet is a heading and a table, whose first row is the header. */
import type { CellValue } from "hucre/xlsx"
import { cellText } from "../cellText.ts"
import { oneLine } from "../markdown.ts"
import type { Archive } from "./Archive.ts"
import { Outline } from "./Outline.ts"
import { Unreadable } from "./Unreadable.ts"

/** Columns and rows of a sheet that are read. */
const MAX_COLUMNS = 256
const MAX_ROWS = 200_000

/** The reader of the formats has no bounds: the archive is unpacked within its own before. */
export const sheetOutline = async (
  archive: Archive,
  bytes: Uint8Array,
  isOds: boolean,
): Promise<Outline> => {
  archive.checkAll()
  const outline = new Outline()
  for (const { name, rows } of await sheetsIn(bytes, isOds)) {
    const filled = rows
      .slice(0, MAX_ROWS)
      .map((row) =>
        trimmed(
          Array.from(row ?? [], cellText)
            .slice(0, MAX_COLUMNS)
            .map(oneLine),
        ),
      )
      .filter((row) => row.length > 0)
    if (filled.length === 0) continue
    outline.heading(2, name)
    outline.table(filled)
  }
  return outline
}

interface ReadSheet {
  readonly name: string
  readonly rows: ReadonlyArray<ReadonlyArray<CellValue> | undefined>
}

const sheetsIn = async (bytes: Uint8Array, isOds: boolean): Promise<ReadonlyArray<ReadSheet>> => {
  try {
    const { sheets } = isOds
      ? await (await import("hucre/ods")).readOds(bytes)
      : await (await import("hucre/xlsx")).readXlsx(bytes)
    return sheets
  } catch {
    throw new Unreadable("it is damaged")
  }
}

/** Without the empty cells at its end. */
const trimmed = (row: ReadonlyArray<string>): ReadonlyArray<string> =>
  row.slice(0, row.findLastIndex((cell) => cell !== "") + 1)
