/** The scopes that routes need and API keys have. */

/** What a key may do; `admin` includes everything. */
export const scopes = {
  "runs:read": "list and show runs, their events and open questions",
  "runs:write": "start, answer, cancel and resume runs",
  "workflows:read": "list workflows, and show their models and prompts",
  "models:write": "swap models, and undo it",
  "prompts:write": "add versions of prompts, and choose the active one",
  "reviews:read": "list and show reviews that people decide on",
  "reviews:write": "claim and decide reviews",
  "users:erase": "erase users",
  "audit:read": "read the audit list",
  "metrics:read": "read metrics of runs and of the server",
  admin: "everything",
} as const

export type Scope = keyof typeof scopes
