/** Whether a value is a JSON object. */
import type { JsonObject } from "@planloom/plugin"

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
