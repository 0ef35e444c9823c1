/** The order in which runs are drawn: the same for a seed, and unchanged among themselves by later runs. */
import { hash } from "node:crypto"

export const seededOrder = <Run extends { readonly run: string }>(
  runs: ReadonlyArray<Run>,
  seed: number,
): ReadonlyArray<Run> =>
  runs
    .map((one) => [hash("sha256", `planloom:sample:${seed}:${one.run}`), one] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => one)
