/** Seven turns with the conference guide in three sessions, that rewrite, pivot, relax twice, find at once, or change the last queries. The searches are real. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { definePlugin, type Json, type JsonObject, type Provider } from "@planloom/plugin/effect"
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

/** Sessions with the messages of their turns, in order. */
const sessions: ReadonlyArray<ReadonlyArray<string>> = [
  ["Find sessions about quantum computing", "only on Wednesday", "Talks about knitting"],
  ["Who can help me with my ML deployment problems?", "only on Thursday"],
  ["Talks about fraud rings", "only on Tuesday"],
]

/** The last queries of the session on another day; none without a session that has them. */
const followUp = (request: string, day: string): Json => {
  const [, last = "[]"] = /"last_queries":(\[.*?\])/.exec(request) ?? []
  return (JSON.parse(last) as ReadonlyArray<JsonObject>).map((query) => ({
    ...query,
    filter: { day },
  }))
}

const replyTo = (name: string | undefined, request: string): Json => {
  const [, day] = /only on (\w+day)/.exec(request) ?? []
  if (name !== "reflection" && day !== undefined) return { queries: followUp(request, day) }
  const script = scripts[Object.keys(scripts).find((message) => request.includes(message))!]
  return name === "reflection" ? (script?.reflection ?? {}) : { queries: script!.plan }
}

/** Replies by what it is asked, not by the order: a process that takes over asks only the rest. */
const provider: Provider = {
  id: "anthropic",
  summary: "Plays a script.",
  generate: ({ messages, output }) =>
    Effect.sync(() => ({
      text: JSON.stringify(replyTo(output?.name, String(messages.at(-1)!.content))),
      reasoning: "",
      toolCalls: [],
      finish: "stop",
      usage: { input: 1, output: 1 },
    })),
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
    sessions.flatMap((turns, session) =>
      turns.map((message, turn) => [`guide-${session}-${turn}`, { message }]),
    ),
  ),
  sessionOf: (run) => run.slice(0, run.lastIndexOf("-")),
}
