/** Types of the variables that conditions of tools read besides the params: the calls of the run, and its session. */
import { typeOfSchema } from "@planloom/expression/check"

const text = { type: "string" } as const

const entity = {
  type: "object",
  properties: { type: text, id: text, name: text },
  required: ["type", "id", "name"],
} as const

/** Tool calls of the run so far. */
export const calls = typeOfSchema({
  type: "array",
  items: {
    type: "object",
    properties: {
      tool: text,
      params: { type: "object" },
      ok: { type: "boolean" },
      summary: text,
      entities: { type: "array", items: entity },
      error: text,
    },
    required: ["tool", "params", "ok", "summary", "entities", "error"],
  },
})

export const session = typeOfSchema({
  type: "object",
  properties: {
    id: text,
    summary: text,
    turns: {
      type: "array",
      items: {
        type: "object",
        properties: { user: text, assistant: text },
        required: ["user", "assistant"],
      },
    },
    entities: {
      type: "array",
      items: {
        ...entity,
        properties: { ...entity.properties, turn: { type: "integer" } },
        required: [...entity.required, "turn"],
      },
    },
    state: { type: "object" },
  },
  required: ["id", "summary", "turns", "entities", "state"],
})
