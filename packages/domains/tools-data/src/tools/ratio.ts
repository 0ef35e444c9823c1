/** Divides one number by another. */
import { combineColumns } from "./combineColumns.ts"

export const ratio = combineColumns("ratio", {
  summary: "Divides one column by another, of all rows or per group: a total per another total.",
  capabilities: ["ratio", "divide", "per_group"],
})
