/** Four turns with the conference guide, each in a session of its own, that rewrite, pivot, relax twice, or find at once. The searches are real. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { definePlugin, type Json, type Provider } from "@planloom/plugin/effect"
import type { Workload } from "./Workload.ts"

interface Script {
  readonly plan: Json
  readonly reflection: Json
}

const queries = (library: string, query: string): Json => [{ library, query }]

const scripts: { readonly [message: string]: Script } = {
  "Find sessions about quantum computing": {
    plan: queries("sessions", "quantum computing"),
    reflection: {
      strategy: "rewrite",
      new_queries: queries("sessions", "physics computing emerging technology quantum"),
    },
  },
  "Who can help me with my ML deployment problems?": {
    plan: queries("sessions", "ML deployment"),
    reflection: { strategy: "pivot", new_queries: queries("exhibitors", "ML deployment services") },
  },
  "Talks about knitting": { plan: queries("sessions", "knitting"), reflection: {} },
  "Talks about fraud rings": { plan: queries("sessions", "fraud rings"), reflection: {} },
}

/** Replies by what it is asked, not by the order: a process that takes over asks only the rest. */
const provider: Provider = {
  id: "anthropic",
  summary: "Plays a script.",
  generate: ({ messages, output }) =>
    Effect.sync(() => {
      const request = String(messages.at(-1)!.content)
      const { plan, reflection } =
        scripts[Object.keys(scripts).find((message) => request.includes(message))!]!
      const value = output?.name === "reflection" ? reflection : { queries: plan }
      return {
        text: JSON.stringify(value),
        reasoning: "",
        toolCalls: [],
        finish: "stop",
        usage: { input: 1, output: 1 },
      }
    }),
}

const anthropic = definePlugin({
  id: "anthropic",
  summary: "A model that plays a script.",
  components: { providers: [provider] },
})

export const workload: Workload = {
  file: join(import.meta.dirname, "../../workflows/conference_guide.yaml"),
  options: {
    plugins: {
      "@planloom/stages": async () => (await import("@planloom/stages")).default,
      "@planloom/documents": async () => (await import("@planloom/documents")).default,
      "@planloom/shadow": async () => (await import("@planloom/shadow")).default,
      "@planloom/validators": async () => (await import("@planloom/validators")).default,
      "@planloom/provider-anthropic": () => Promise.resolve(anthropic),
    },
  },
  runs: Object.fromEntries(
    Object.keys(scripts).map((message, index) => [`guide-${index}`, { message }]),
  ),
  session: true,
}
