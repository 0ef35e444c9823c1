/** Arguments that several tools take. A `role` says which of the user's words fill them. */
import { fileTypes } from "../library/FileType.ts"

export const query = {
  type: "string",
  minLength: 1,
  maxLength: 500,
  role: "query",
  description: "what to look for, in a few words",
} as const

export const fileType = {
  type: "string",
  enum: fileTypes,
  role: "file_type",
  description: "the kind of file",
} as const

export const folder = {
  type: "string",
  maxLength: 500,
  role: "folder",
  description: "a folder inside, such as Downloads",
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

export const order = {
  type: "string",
  enum: ["newest", "oldest"],
  role: "order",
  description:
    "sorts the nearest by when they changed, where the user asks for the newer or the oldest",
} as const
