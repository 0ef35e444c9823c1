/** Schemas that the kinds of this package share. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { requirementsSchema } from "./requirements/Requirements.ts"

/** Requirements as a stage accepts them: the output of `extract`, or the same shape from elsewhere. */
export const requirements = requirementsSchema

/** A table's profile; a describe tool may return more than planning reads. */
export const profile = {
  type: "object",
  description: "what the data looks like: { columns: [{ name, type, distinct }], rows }",
} as const satisfies JsonSchema
