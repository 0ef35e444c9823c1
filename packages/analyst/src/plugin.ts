/** The kinds that read questions about tables and answer them, through the same contract as any plugin. */
import { definePlugin } from "@planloom/plugin"
import { extract } from "./kinds/extract.ts"
import { respond } from "./kinds/respond.ts"

export default definePlugin({
  id: "analyst",
  summary: "Planning over tables: reads questions, answers from results.",
  components: { stages: [extract, respond] },
})
