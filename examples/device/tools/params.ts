/** Arguments that several tools take. A `role` says what of the user's words fills them. */

export const query = {
  type: "string",
  minLength: 1,
  maxLength: 500,
  role: "query",
  description: "what to look for, in a few words",
} as const

const day = { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" } as const

export const from = { ...day, role: "date_from", description: "first day, such as 2026-11-21" }
export const to = { ...day, role: "date_to", description: "last day, the first one unless given" }

export const limit = {
  type: "integer",
  minimum: 1,
  maximum: 20,
  role: "limit",
  description: "how many at most",
} as const

export const state = {
  type: "string",
  enum: ["on", "off", "flip"],
  role: "switch",
  description: "flip turns on what is off, and the other way round",
} as const
