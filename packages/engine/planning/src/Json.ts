/** Shape of plain data. */
import type { Json, JsonObject } from "@planloom/plugin/effect"

type IsObject = {
  (value: Json | undefined): value is JsonObject
  (value: unknown): value is { readonly [key: string]: unknown }
}

export const isObject = ((value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value)) as IsObject
