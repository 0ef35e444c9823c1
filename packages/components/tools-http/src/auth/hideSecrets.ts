/** Replaces secrets in what a service answers: an API may repeat the key that it was sent. */
import { secretSpellings, type Json } from "@planloom/plugin/effect"

/** Shorter values would match by chance. */
const MIN_LENGTH_CHARS = 6

export const hideSecrets = (value: Json, secrets: ReadonlyArray<string>): Json => {
  const spellings = secrets
    .filter(({ length }) => length >= MIN_LENGTH_CHARS)
    .flatMap(secretSpellings)
    .toSorted((a, b) => b.length - a.length)
  if (spellings.length === 0) return value
  const text = (given: string) =>
    spellings.reduce((rest, spelling) => rest.replaceAll(spelling, "[secret]"), given)
  const hide = (inner: Json): Json => {
    if (typeof inner === "string") return text(inner)
    if (typeof inner !== "object" || inner === null) return inner
    if (Array.isArray(inner)) return inner.map(hide)
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [text(key), hide(one)]))
  }
  return hide(value)
}
