/** What a call has used where its service has not told all of it: counted, or the most it can take. */
import * as Effect from "effect/Effect"
import type { ModelReply, ModelRequest, Usage } from "@planloom/plugin"
import { outputLimit } from "@planloom/plugin/facts"
import type { ModelFacts } from "@planloom/plugin/facts"
import { tokenCounter } from "../prompt/tokens.ts"
import { countOf, promptTokens } from "./worstOf.ts"

/** What came of a reply, as far as it came. */
export type Received = Pick<ModelReply, "text" | "reasoning" | "toolCalls">

/**
 * Never less than the service told. A prompt counts as in `worstOf`. A reply that came counts by its texts; one
 * that was lost counts by what was told or received of it; where that is nothing, as the longest there can be,
 * for a service may have written it to its end. Where nobody knows how long that is, only the prompt counts.
 */
export const settleUsage = (
  told: Usage,
  request: ModelRequest,
  facts: ModelFacts | undefined,
  received: Received | undefined,
): Effect.Effect<Usage> =>
  told.estimated !== true
    ? Effect.succeed(told)
    : Effect.map(tokenCounter(facts), (counter) => ({
        ...told,
        input: Math.max(told.input, promptTokens(request, counter)),
        output: Math.max(
          told.output,
          received !== undefined
            ? receivedTokens(received, countOf(counter))
            : told.output > 0
              ? 0
              : (outputLimit(request.maxTokens, facts) ?? 0),
        ),
      }))

const receivedTokens = (
  { reasoning, text, toolCalls }: Received,
  count: (text: string) => number,
): number =>
  count(text) + count(reasoning) + (toolCalls.length === 0 ? 0 : count(JSON.stringify(toolCalls)))
