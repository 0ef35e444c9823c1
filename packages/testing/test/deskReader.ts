/** A reader of three messages to a booking desk, with the tools that serve its intents. */
import * as Effect from "effect/Effect"
import type { Reader, TurnPlan } from "@planloom/plugin/effect"
import type { ListedStub } from "../src/double/stubTools.ts"

const plan = (intent: string, more: Partial<TurnPlan> = {}): TurnPlan => ({
  intent,
  reasoning_summary: "By its words.",
  chat_response: deskReader.intents.find(({ id }) => id === intent)!.reply,
  candidate_tools: [],
  arguments: {},
  confidence: 0.9,
  ...more,
})

export const deskReader: Reader = {
  id: "desk",
  summary: "Reads messages to a booking desk.",
  intents: [
    { id: "search", tools: "alternatives", reply: "Looking for rooms." },
    { id: "booking", tools: "actions", reply: "One moment." },
    { id: "unclear", tools: "none", reply: "What would you like to book?" },
  ],
  unclear: "unclear",
  withoutModel: ({ text, time }) =>
    text === "what time is it" ? plan("unclear", { chat_response: `It is ${time}.` }) : undefined,
  claimsResult: (reply) => /\bbooked\b/.test(reply),
  read: (request) =>
    Effect.sync(() => {
      const known = deskReader.withoutModel!(request)
      if (known !== undefined) return known
      if (!request.text.startsWith("book")) return plan("unclear", { confidence: 0.2 })
      return plan("booking", {
        candidate_tools: ["book_room", "book_table"],
        arguments: { nights: 2 },
      })
    }),
}

const stub = (group: string, params: object, required: ReadonlyArray<string>): ListedStub => ({
  result: { text: "It is done." },
  tool: { group, params: { type: "object", properties: params, required } },
})

export const deskTools = {
  find_room: stub("search", {}, []),
  book_table: stub("booking", { at: { type: "string" } }, ["at"]),
  book_room: stub("booking", { nights: { type: "integer" } }, ["nights"]),
}
