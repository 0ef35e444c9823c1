/** Ten stages in sequence. */
import { increments, tenStages } from "./increments.ts"
import { runsOf, type Start } from "./Work.ts"

export const start: Start = () =>
  runsOf({
    body: tenStages(),
    plugins: [increments],
    inputs: { n: 1 },
    check: ({ n }) => n === 11,
  })
