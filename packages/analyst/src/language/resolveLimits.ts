/** Resolves the scope of a limit: "top 5 products in each region" needs five of each. */
import type { Constraint } from "../requirements/Requirements.ts"
import type { Reading } from "./Reading.ts"

type Top = Extract<Constraint, { kind: "top_n" }>

export const resolveLimits = (reading: Reading): void => {
  const [per] = reading.each
  const parts = new Set([...reading.groupBy, reading.timeColumn].filter((name) => name !== ""))
  // A single group is the one to rank.
  if (per === undefined || parts.size < 2 || !parts.has(per)) return
  const { constraints } = reading
  const at = constraints.findIndex(({ kind }) => kind === "top_n")
  const top = constraints[at] as Top | undefined
  if (top !== undefined) constraints[at] = { ...top, per }
  else if (reading.single !== undefined) {
    reading.follow("top_n", "analysis:ranking")
    constraints.push({ kind: "top_n", n: 1, order: reading.single, per })
  }
}
