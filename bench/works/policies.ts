/** Ten stages in sequence, each with a retry, a timeout and a budget. */
import { increments, tenStages } from "./increments.ts"
import { runsOf, type Start } from "./Work.ts"

export const start: Start = () =>
  runsOf({
    body: tenStages(", timeout: 30s, retry: again, budget: { tool_calls: 100 }"),
    plugins: [increments],
    inputs: { n: 1 },
    check: ({ n }) => n === 11,
  })
