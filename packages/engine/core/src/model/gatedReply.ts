/** One request to one provider, whose text passes a gate. */
import * as Effect from "effect/Effect"
import type { ModelFailed, ModelRequest, Usage } from "@planloom/plugin/effect"
import type { ModelFacts } from "@planloom/plugin/facts"
import { throughGate, type GatedReply, type GatedRequest } from "../reply/parts/throughGate.ts"
import type { Progress } from "./fromProvider.ts"
import { settleUsage } from "./settleUsage.ts"

export interface GatedModelRequest extends Omit<GatedRequest, "interrupted"> {
  readonly request: ModelRequest
  readonly facts: ModelFacts | undefined
  readonly progress: Progress
}

/** What arrived of a reply that its gate did not read to the end counts as used. */
export const gatedReply = ({
  facts,
  progress,
  request,
  ...gated
}: GatedModelRequest): Effect.Effect<GatedReply, ModelFailed> => {
  let isAsked = false
  return throughGate({
    ...gated,
    ask: (reader) => {
      isAsked = true
      return gated.ask(reader)
    },
    interrupted: Effect.suspend(() => {
      const { received } = progress
      const reported: Usage = { input: 0, output: 0, ...(isAsked && { estimated: true }) }
      return Effect.map(settleUsage(reported, request, facts, received), (usage) => ({
        text: "",
        reasoning: received?.reasoning ?? "",
        toolCalls: [],
        finish: "content_filter" as const,
        usage,
      }))
    }),
  })
}
