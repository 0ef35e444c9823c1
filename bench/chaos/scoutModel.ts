/** The model of the market scout that is killed: its replies are written out, by the request. */
import { appendFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { definePlugin, type Json, type Provider } from "@planloom/plugin/effect"

const search = (id: string, query: string) => ({
  id,
  tool: "dexscreener.searchPairs",
  params: { query },
})

/** First plans, by the request. Rules add to the first two, a model to the third one. */
export const plans: { readonly [message: string]: ReadonlyArray<object> } = {
  "What's moving on Base?": [
    { id: "activity", tool: "base.getDexRouterActivity", params: { router: "uniswap_v3" } },
  ],
  "Is PEPE safe?": [search("pepe", "PEPE")],
  "compare $PEPE and $LUNA": [search("pepe", "PEPE")],
}

const replyTo = (name: string | undefined, request: string): Json => {
  if (name === "reflection")
    return {
      strategy: "extend",
      user_message: "I am looking for the other token, too.",
      modifications: [
        { op: "add", rationale: "it was left out", ...renamed(search("luna", "LUNA")) },
      ],
    }
  const message = Object.keys(plans).find((one) => request.includes(JSON.stringify(one)))!
  return { confidence: 0.9, plan: { steps: plans[message] } } as unknown as Json
}

const renamed = ({ id, ...step }: ReturnType<typeof search>) => ({ step: id, ...step })

/**
 * Replies by what it is asked, not by the order: a process that takes over asks only the rest. Each call leaves a line in
 * the file that `CHAOS_MODEL_CALLS` names.
 */
const provider: Provider = {
  id: "google",
  summary: "Plays a script.",
  generate: ({ messages, output }) =>
    Effect.sync(() => {
      const calls = process.env["CHAOS_MODEL_CALLS"]
      if (calls !== undefined) appendFileSync(calls, `${output?.name}\n`)
      return {
        text: JSON.stringify(replyTo(output?.name, String(messages.at(-1)!.content))),
        reasoning: "",
        toolCalls: [],
        finish: "stop" as const,
        usage: { input: 1, output: 1 },
      }
    }),
}

// oxlint-disable-next-line import/no-default-export -- how a workflow finds a plugin
export default definePlugin({
  id: "google",
  summary: "A model that plays a script.",
  components: { providers: [provider] },
})
