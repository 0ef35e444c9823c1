/** A booking desk: intents of messages, and the tools that serve them. */
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import type { ListedStub } from "../src/double/stubTools.ts"

export const deskIntents: ReadonlyArray<JsonObject> = [
  { id: "search", tools: "alternatives", reply: "Looking for rooms." },
  { id: "booking", tools: "actions", reply: "One moment." },
  { id: "unclear", tools: "none", reply: "What would you like to book?" },
]

const stub = (tool: Partial<Tool>): ListedStub => ({
  result: { text: "It is done." },
  tool: { effect: "write", ...tool },
})

const object = (properties: object, required: ReadonlyArray<string> = []) => ({
  type: "object",
  properties,
  required,
})

export const deskTools = {
  find_room: stub({ group: "search", effect: "read", summary: "Finds rooms.", params: object({}) }),
  book_table: stub({
    group: "booking",
    examples: ["book the table", "reserve a table"],
    params: object({ at: { type: "string", enum: ["noon", "19:00"] } }, ["at"]),
  }),
  book_room: stub({
    group: "booking",
    examples: ["book a room for 3 nights", "reserve a room"],
    params: object({ nights: { type: "integer" } }, ["nights"]),
  }),
}
