/** The plugin of `use.plugins` for the subagents and the files that they read. */
import { definePlugin } from "@planloom/plugin/effect"
import { guardKind } from "./kinds/guardKind.ts"
import { opportunitiesKind } from "./kinds/opportunitiesKind.ts"
import { regulationKind } from "./kinds/regulationKind.ts"
import { ask, askInput } from "./subagents/ask.ts"
import { complianceChecker } from "./subagents/compliance_checker.ts"
import { contextEnricher } from "./subagents/context_enricher.ts"
import { intentValidator } from "./subagents/intent_validator.ts"
import { qualityGate } from "./subagents/quality_gate.ts"
import { toneAnalyzer } from "./subagents/tone_analyzer.ts"

export default definePlugin({
  id: "subagents",
  summary:
    "Reviews of texts that may ask a model: quality, compliance, tone, context, intent, and questions of yours.",
  components: {
    subagents: [
      qualityGate,
      complianceChecker,
      toneAnalyzer,
      contextEnricher,
      intentValidator,
      ask,
      askInput,
    ],
    fileKinds: [regulationKind, opportunitiesKind, guardKind],
  },
})
