/** Reads the retry delay that a service requests in its response headers. */

/**
 * The delay in milliseconds from `retry-after-ms`, or from `retry-after` as seconds or as a date (RFC 9110, 10.2.3).
 * Undefined if neither can be parsed.
 */
export const parseRetryAfter = (
  headers: Headers | undefined,
  now: number = Date.now(),
): number | undefined => {
  const milliseconds = parseNumber(headers?.get("retry-after-ms"))
  if (milliseconds !== undefined) return milliseconds
  const text = headers?.get("retry-after")
  const seconds = parseNumber(text)
  if (seconds !== undefined) return Math.round(seconds * 1000)
  // `Date.parse` reads a bare number as a year; HTTP dates start with a weekday.
  const date = text != null && /^[A-Z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const parseNumber = (text: string | null | undefined): number | undefined =>
  text != null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
