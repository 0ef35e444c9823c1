/** Forty runs at once of ten steps of 10 ms: the storm of the peers' measurements. */
import { increments } from "./increments.ts"

export const workload = increments({ name: "storm", runs: 40, steps: 10, ms: 10 })
