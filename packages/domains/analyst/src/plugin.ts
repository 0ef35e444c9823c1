/** The plugin that contributes the table domain, its stage kinds and the file kind `Vocabulary`. */
import { definePlugin } from "@planloom/plugin/effect"
import { extract } from "./kinds/extract.ts"
import { respond } from "./kinds/respond.ts"
import { vocabularyKind } from "./language/vocabulary/vocabularyKind.ts"
import { tables } from "./tables.ts"

export default definePlugin({
  id: "analyst",
  summary: "Planning over tables: reads questions, plans, answers from results.",
  components: { stages: [extract, respond], domains: [tables], fileKinds: [vocabularyKind] },
})
