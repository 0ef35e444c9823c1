/** Redacts the values of declared secrets in events and records. */
import { secretSpellings, type Json, type RunEvent } from "@planloom/plugin/effect"

/** Shorter values would match by chance and make events unreadable. */
const MIN_LENGTH_CHARS = 6

/** Put in place of a secret. */
export const REDACTED = "[secret]"

/** Every spelling of the secrets, prepared for search. */
export interface Secrets {
  /** The longest first: one secret may be the beginning of another. */
  readonly values: ReadonlyArray<string>
  /** Finds any character that one of them starts with. */
  readonly first: RegExp
  readonly any: RegExp
}

/** Undefined without secrets, so that such runs pay nothing. */
export const secretsOf = (secrets: ReadonlyArray<string>): Secrets | undefined => {
  if (secrets.length === 0) return undefined
  const values = [
    ...new Set(secrets.filter(({ length }) => length >= MIN_LENGTH_CHARS).flatMap(secretSpellings)),
  ].toSorted((a, b) => b.length - a.length)
  if (values.length === 0) return undefined
  const oneOf = (texts: ReadonlyArray<string>) =>
    new RegExp(texts.map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&")).join("|"), "g")
  return {
    values,
    first: oneOf([...new Set(values.map((value) => value[0]!))]),
    any: oneOf(values),
  }
}

/** A text without secrets. */
export const scrubText = ({ any, values }: Secrets, text: string): string =>
  values.some((secret) => text.includes(secret)) ? text.replaceAll(any, REDACTED) : text

/** Undefined without secrets. */
export const scrubber = (secrets: ReadonlyArray<string>): Scrub | undefined => {
  const hidden = secretsOf(secrets)
  return hidden && scrubValue(hidden)
}

type Scrub = <A extends Json | RunEvent>(value: A) => A

export const scrubValue = (secrets: Secrets): Scrub => {
  /** Returns the same object when it holds no secret, so that callers can compare identity. */
  const scrub = (value: unknown): unknown => {
    if (typeof value === "string") return scrubText(secrets, value)
    if (Array.isArray(value)) {
      const clean = value.map(scrub)
      return clean.every((inner, index) => inner === value[index]) ? value : clean
    }
    if (typeof value !== "object" || value === null) return value
    let changed = false
    const entries = Object.entries(value).map(([key, inner]) => {
      const clean = [scrubText(secrets, key), scrub(inner)] as const
      changed ||= clean[0] !== key || clean[1] !== inner
      return clean
    })
    return changed ? Object.fromEntries(entries) : value
  }
  return (value) => scrub(value) as typeof value
}
