/** Redacts the values of declared secrets in events and records. */
import type { Json, RunEvent } from "@planloom/plugin"

/** Shorter values would match by chance and make events unreadable. */
const MIN_LENGTH_CHARS = 6

/** Undefined without secrets, so that such runs pay nothing. */
export const scrubber = (
  secrets: ReadonlyArray<string>,
): (<A extends Json | RunEvent>(value: A) => A) | undefined => {
  // The longest first: one secret may be the beginning of another.
  const hidden = [
    ...new Set(secrets.filter(({ length }) => length >= MIN_LENGTH_CHARS).flatMap(spellings)),
  ].toSorted((a, b) => b.length - a.length)
  if (hidden.length === 0) return undefined
  const scrubText = (text: string) =>
    hidden.reduce((clean, secret) => clean.replaceAll(secret, "[secret]"), text)
  /** Returns the same object when it holds no secret, so that callers can compare identity. */
  const scrub = (value: unknown): unknown => {
    if (typeof value === "string") return scrubText(value)
    if (Array.isArray(value)) {
      const clean = value.map(scrub)
      return clean.every((inner, index) => inner === value[index]) ? value : clean
    }
    if (typeof value !== "object" || value === null) return value
    let changed = false
    const entries = Object.entries(value).map(([key, inner]) => {
      const clean = [scrubText(key), scrub(inner)] as const
      changed ||= clean[0] !== key || clean[1] !== inner
      return clean
    })
    return changed ? Object.fromEntries(entries) : value
  }
  return (value) => scrub(value) as typeof value
}

/** The secret as plain text, inside JSON (a key file has quotes and line ends), inside nested JSON, and inside a URL. */
const spellings = (secret: string): ReadonlyArray<string> => {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inUrl = encodeURIComponent(secret.toWellFormed())
  return [secret, inJson, JSON.stringify(inJson).slice(1, -1), inUrl]
}
