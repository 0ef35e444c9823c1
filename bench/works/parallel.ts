/** A hundred tasks, ten at once. */
import { increments } from "./increments.ts"
import { list, runsOf, type Start } from "./Work.ts"

export const start: Start = () =>
  runsOf({
    body: `inputs: { list: { type: array, items: { type: integer } } }
stages: [{ id: all, uses: increment, for_each: { in: inputs.list, as: n, max_parallel: 10 }, with: { value: "\${{ n }}" } }]
outputs: { all: { type: array, value: "\${{ stages.all.output }}" } }
`,
    plugins: [increments],
    inputs: { list },
    check: ({ all }) => (all as ReadonlyArray<number>)[99] === 100,
  })
