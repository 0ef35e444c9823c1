/** Plugin with table tools and charts. */
export { default } from "./plugin.ts"
export { source } from "./source.ts"
export { exportTable, type TableFormat } from "./tools/export.ts"
export { closeSessions } from "./duckdb/Session.ts"
export type { Column, Table } from "./table/Table.ts"
export type { Condition, Operation } from "./table/Operation.ts"
export type { DataProfile, ProfiledColumn } from "./profile/profile.ts"
