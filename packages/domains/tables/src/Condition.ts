/** Comparison operators of row conditions. */

export const filterOps = [
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "between",
  "in",
  "not_in",
  "contains",
  "not_contains",
  "starts_with",
  "ends_with",
  "is_null",
  "is_not_null",
] as const
export type FilterOp = (typeof filterOps)[number]
