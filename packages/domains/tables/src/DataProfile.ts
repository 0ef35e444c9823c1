/** Data profile: columns and row count of a table, the input of planning. */
import type { JsonSchema } from "@planloom/plugin/effect"

export const columnTypes = ["number", "integer", "string", "date", "boolean"] as const
export type ColumnType = (typeof columnTypes)[number]

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** All distinct values, if they are few. */
  readonly distinct?: ReadonlyArray<string | number | boolean | null>
  /** Number, or ISO date as text. */
  readonly min?: number | string
  readonly max?: number | string
  /** Every value occurs once: the column identifies the rows. */
  readonly unique?: boolean
  /** Number of missing values. */
  readonly nulls?: number
}

export interface DataProfile {
  /** The name of the table, such as that of its file: its words name the rows. */
  readonly title?: string
  readonly columns: ReadonlyArray<Column>
  readonly rows: number
}

/** Allows extra keys: a describe tool may return more than planning reads. */
export const dataProfileSchema = {
  type: "object",
  required: ["columns", "rows"],
  properties: {
    columns: {
      type: "array",
      items: {
        type: "object",
        required: ["name", "type"],
        properties: {
          name: { type: "string" },
          type: { type: "string", enum: columnTypes },
          distinct: { type: "array" },
          min: { anyOf: [{ type: "number" }, { type: "string" }, { type: "null" }] },
          max: { anyOf: [{ type: "number" }, { type: "string" }, { type: "null" }] },
          nulls: { type: "integer", minimum: 0 },
        },
      },
    },
    rows: { type: "integer", minimum: 0 },
  },
} as const satisfies JsonSchema

export const isMeasure = (column: Column): boolean =>
  column.type === "number" || column.type === "integer"
