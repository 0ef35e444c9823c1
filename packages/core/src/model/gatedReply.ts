/** One request to one provider, whose text passes a gate. */
import * as Effect from "effect/Effect"
import type { ModelFailed, ModelRequest, Usage } from "@planloom/plugin/effect"
import type { ModelFacts } from "@planloom/plugin/facts"
import { throughGate, type GatedReply, type ReplyGate } from "@planloom/reply"
import type { ModelChoice } from "../pipeline/resolveModel.ts"
import { fromProvider, type Progress } from "./fromProvider.ts"
import { settleUsage } from "./settleUsage.ts"

/** What arrived of a reply that its gate did not read to the end counts as used. */
export const gatedReply = (
  choice: ModelChoice,
  request: ModelRequest,
  facts: ModelFacts | undefined,
  progress: Progress,
  gate: ReplyGate,
): Effect.Effect<GatedReply, ModelFailed> =>
  throughGate({
    model: choice.name,
    gate,
    ask: (reader) => fromProvider(choice, request, facts, progress, reader),
    interrupted: Effect.suspend(() => {
      const { received } = progress
      const reported: Usage = { input: 0, output: 0, estimated: true }
      return Effect.map(settleUsage(reported, request, facts, received), (usage) => ({
        text: "",
        reasoning: received?.reasoning ?? "",
        toolCalls: [],
        finish: "other" as const,
        usage,
      }))
    }),
  })
