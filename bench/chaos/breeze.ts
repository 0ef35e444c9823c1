/** Eight runs at once of sixty steps of 100 ms: long enough for a process to be stopped and continued meanwhile. */
import { increments } from "./increments.ts"

export const workload = increments({ name: "breeze", runs: 8, steps: 60, ms: 100 })
