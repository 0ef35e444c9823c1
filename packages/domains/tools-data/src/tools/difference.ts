/** Subtracts one number from another. */
import { combineColumns } from "./combineColumns.ts"

export const difference = combineColumns("difference", {
  summary: "Subtracts one column from another, of all rows or per group.",
  capabilities: ["difference", "subtract", "per_group"],
})
