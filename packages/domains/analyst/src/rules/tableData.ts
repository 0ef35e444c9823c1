/** Checks and repairs of calls by the columns of the data. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { isObject } from "@planloom/planning"
import type { CallRules, DataRules } from "@planloom/planning"
import type { DataProfile } from "@planloom/tables"
import { columnsOf } from "./columnsAt.ts"
import { lintColumns } from "./lintColumns.ts"
import { repairColumns } from "./repairColumns.ts"
import { functionsOf } from "./serves.ts"

/** `avg` and `mean` are one function under two names. */
const sameFunction = (value: string, choices: ReadonlyArray<string>): string | undefined => {
  const [label, names] =
    Object.entries(functionsOf).find(
      ([analysis, known]) => analysis === value || known.includes(value),
    ) ?? []
  return choices.find((choice) => choice === label || names?.includes(choice))
}

/** Repairs of a call on a table with these columns; without them column names are not repaired. */
export const columnRules = (columns: ReadonlyArray<string> | undefined): CallRules => ({
  sameChoice: sameFunction,
  ...(columns === undefined
    ? {}
    : { repair: (tool, params) => repairColumns(tool, params, columns) }),
})

/** Rules from the profile of the source table; without one, column names are not checked. */
export const tableData = (profile: DataProfile | undefined): DataRules => ({
  lint: (step, tool, plan, tools) =>
    profile === undefined ? [] : lintColumns(step, tool, plan, tools, profile),
  call: (step, plan, tools) => {
    const columns = profile === undefined ? undefined : columnsOf(plan, step, tools, profile)
    return columnRules(columns === undefined || columns.open ? undefined : columns.names)
  },
})

/** Rules for a call on these tables, if the data lists its columns. */
export const inputRules = (inputs: JsonObject): CallRules => {
  const named = Object.values(inputs).flatMap((value) =>
    isObject(value) && Array.isArray(value.columns) ? (value.columns as ReadonlyArray<Json>) : [],
  )
  const names = named.flatMap((column) =>
    isObject(column) && typeof column.name === "string" ? [column.name] : [],
  )
  return columnRules(names.length === 0 ? undefined : names)
}
