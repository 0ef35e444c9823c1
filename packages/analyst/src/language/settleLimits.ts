/** Where a limit holds: "top 5 products in each region" wants five of each. */
import type { Constraint } from "../requirements/Requirements.ts"
import type { Reading } from "./Reading.ts"

type Top = Extract<Constraint, { kind: "top_n" }>

export const settleLimits = (reading: Reading): void => {
  const [per] = reading.each
  const parts = new Set([...reading.groupBy, reading.timeColumn].filter((name) => name !== ""))
  // One division alone is what is put in order.
  if (per === undefined || parts.size < 2 || !parts.has(per)) return
  const { constraints } = reading
  const at = constraints.findIndex(({ kind }) => kind === "top_n")
  const top = constraints[at] as Top | undefined
  if (top !== undefined) constraints[at] = { ...top, per }
  else if (reading.single !== undefined) {
    constraints.push({ kind: "top_n", n: 1, order: reading.single, per })
  }
}
