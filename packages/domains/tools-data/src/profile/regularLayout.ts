/** Measures a file with irregular rows: which columns it has, and how many rows fit them. */
import * as Effect from "effect/Effect"
import { failed, type DataFailed } from "../DataFailed.ts"
import type { DataFile } from "../file/DataFile.ts"
import type { Layout, Outline } from "../file/layout.ts"
import type { Record } from "../file/records.ts"
import { measureRows, type Irregular, type Measured } from "../file/regularRows.ts"

export interface RegularLayout {
  readonly layout: Layout
  readonly notes: ReadonlyArray<string>
}

const linesOf = ({ count, lines }: Irregular): string =>
  `${count === 1 ? "line" : "lines"} ${lines.join(", ")}${count > lines.length ? ", …" : ""}`

const notesOf = ({ long, short }: Measured, isSheet: boolean): ReadonlyArray<string> => [
  // A sheet holds no empty cells at the end of a row.
  ...(short.count === 0 || isSheet
    ? []
    : [
        `${short.count} ${short.count === 1 ? "row has" : "rows have"} fewer cells than the header; the missing cells at ${short.count === 1 ? "its" : "their"} end count as missing values (${linesOf(short)}).`,
      ]),
  ...(long.count === 0
    ? []
    : [
        `${long.count} ${long.count === 1 ? "row has" : "rows have"} more cells than the header and ${long.count === 1 ? "was" : "were"} left out (${linesOf(long)}).`,
      ]),
]

/** The layout without empty columns at the end. Fails if most rows do not fit it. */
export const regularLayout = (
  file: DataFile,
  records: () => AsyncIterable<Record>,
  outline: Outline,
): Effect.Effect<RegularLayout, DataFailed> =>
  Effect.flatMap(
    Effect.tryPromise({
      try: () => measureRows(records(), outline),
      catch: (error) => failed(`${file.path} is not a regular table: ${(error as Error).message}`),
    }),
    (measured) => {
      const { delimiter, header, names, skip } = outline
      const { long, rows, width } = measured
      if (long.count > rows / 2)
        return Effect.fail(
          failed(
            `${file.path} is not a regular table: ${long.count} of ${rows} rows have more cells than the header (${linesOf(long)})`,
          ),
        )
      const layout = { delimiter, header, skip, names: names.slice(0, width) }
      return Effect.succeed({ layout, notes: notesOf(measured, file.format === "xlsx") })
    },
  )
