/** Keeps the values of declared secrets out of events and records, whatever text they were copied into. */
import type { Json, RunEvent } from "@planloom/plugin"

/** Shorter values would match by chance and make events unreadable. */
const shortest = 6

/** Undefined when there is nothing to hide, so that runs without secrets pay nothing. */
export const scrubber = (
  secrets: ReadonlyArray<string>,
): (<A extends Json | RunEvent>(value: A) => A) | undefined => {
  const hidden = secrets.filter((secret) => secret.length >= shortest)
  if (hidden.length === 0) return undefined
  const scrubText = (text: string) =>
    hidden.reduce((clean, secret) => clean.replaceAll(secret, "[secret]"), text)
  const scrub = (value: unknown): unknown => {
    if (typeof value === "string") return scrubText(value)
    if (Array.isArray(value)) return value.map(scrub)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [scrubText(key), scrub(inner)]),
    )
  }
  return (value) => scrub(value) as typeof value
}
