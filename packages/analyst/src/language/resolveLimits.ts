/** Resolves the scope of a limit: "top 5 products in each region" needs five of each. */
import type { Constraint } from "../requirements/Requirements.ts"
import type { Reading } from "./Reading.ts"

type Top = Extract<Constraint, { kind: "top_n" }>

export const resolveLimits = (reading: Reading): void => {
  dropMissing(reading)
  const [per] = reading.each
  const parts = new Set([...reading.groupBy, reading.timeColumn].filter((name) => name !== ""))
  // A single group is the one to rank.
  if (per === undefined || parts.size < 2 || !parts.has(per)) return
  const { constraints } = reading
  const at = constraints.findIndex(({ kind }) => kind === "top_n")
  const top = constraints[at] as Top | undefined
  if (top !== undefined) constraints[at] = { ...top, per }
}

/** Rows without a group are no group to rank. */
const dropMissing = (reading: Reading): void => {
  if (!reading.constraints.some(({ kind }) => kind === "top_n" || kind === "having")) return
  for (const { name, nulls, type } of reading.profile.columns) {
    const isLimited = reading.constraints.some(
      (one) => one.kind === "filter" && one.column === name,
    )
    if (nulls === undefined || type !== "string" || !reading.groupBy.has(name) || isLimited)
      continue
    reading.constraints.push({ kind: "filter", column: name, op: "is_not_null" })
    reading.follow(`filter:${name}`, `group_by:${name}`)
    reading.notes.push(`rows without ${name} are left out`)
  }
}
