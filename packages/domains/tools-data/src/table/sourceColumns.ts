/** Columns of a source with their table types. */
import type { ColumnType } from "@planloom/tables"
import type { Source, Storage } from "../file/Source.ts"
import type { Column } from "./Table.ts"

const types: { readonly [storage in Storage]: ColumnType } = {
  BOOLEAN: "boolean",
  BIGINT: "integer",
  DOUBLE: "number",
  VARCHAR: "string",
  DATE: "date",
  TIMESTAMP: "date",
  "TIMESTAMP WITH TIME ZONE": "date",
  TIME: "string",
  JSON: "string",
}

export const sourceColumns = (source: Source): ReadonlyArray<Column> =>
  source.columns.map(({ name, storage }) => ({ name, type: types[storage] }))
