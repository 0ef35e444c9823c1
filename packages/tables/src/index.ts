/** Table types and formats that the analyst and the table tools share. */
export { columnTypes, dataProfileSchema, isMeasure } from "./DataProfile.ts"
export type { Column, ColumnType, DataProfile } from "./DataProfile.ts"
export { describeProfile, readProfile } from "./readProfile.ts"
export { isChart, isMeasured, viewTable } from "./TableView.ts"
export type { TableView, ViewColumn } from "./TableView.ts"
