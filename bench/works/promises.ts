/** Ten stages in sequence whose kind is in promise style. */
import { definePlugin, stageKind } from "@planloom/plugin"
import { integer, tenStages } from "./increments.ts"
import { runsOf, step, type Start } from "./Work.ts"

const increment = stageKind({
  id: "increment",
  summary: "Adds one.",
  input: integer,
  output: { type: "integer" },
  run: ({ value }) => step(value),
})

const plugin = definePlugin({
  id: "bench",
  summary: "Adds one.",
  components: { stages: [increment] },
})

export const start: Start = () =>
  runsOf({ body: tenStages(), plugins: [plugin], inputs: { n: 1 }, check: ({ n }) => n === 11 })
