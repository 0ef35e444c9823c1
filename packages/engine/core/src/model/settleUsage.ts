/** Completes the usage of a call whose service did not report it: counts tokens, or assumes the maximum. */
import * as Effect from "effect/Effect"
import type { ModelReply, ModelRequest, Usage } from "@planloom/plugin/effect"
import { outputLimit } from "@planloom/plugin/facts"
import type { ModelFacts } from "@planloom/plugin/facts"
import { countOf, promptTokens, tokenCounter } from "@planloom/prompt/tokens"

/** The part of a reply that was received. */
export type Received = Pick<ModelReply, "text" | "reasoning" | "toolCalls">

/**
 * Never less than the service reported. A prompt counts as in `worstOf`. A received reply counts by its texts; a lost
 * one by what was reported or received of it, or else as the longest possible reply, because the service may have
 * completed it. Where that length is unknown, only the prompt counts.
 */
export const settleUsage = (
  reported: Usage,
  request: ModelRequest,
  facts: ModelFacts | undefined,
  received: Received | undefined,
): Effect.Effect<Usage> =>
  reported.estimated !== true
    ? Effect.succeed(reported)
    : Effect.map(tokenCounter(facts), (counter) => ({
        ...reported,
        input: Math.max(reported.input, promptTokens(request, counter)),
        output: Math.max(
          reported.output,
          received !== undefined
            ? receivedTokens(received, countOf(counter))
            : reported.output > 0
              ? 0
              : (outputLimit(request.maxTokens, facts) ?? 0),
        ),
      }))

const receivedTokens = (
  { reasoning, text, toolCalls }: Received,
  count: (text: string) => number,
): number =>
  count(text) + count(reasoning) + (toolCalls.length === 0 ? 0 : count(JSON.stringify(toolCalls)))
