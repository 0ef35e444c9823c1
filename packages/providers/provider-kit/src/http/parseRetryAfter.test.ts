/** Every form of the retry headers. */
import { expect, it } from "vitest"
import { parseRetryAfter } from "./parseRetryAfter.ts"

const now = Date.parse("2026-01-01T00:00:00Z")

it.each([
  [{ "retry-after": "3" }, 3000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after-ms": "250", "retry-after": "3" }, 250],
  [{ "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, 60_000],
  [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-3" }, undefined],
  [{}, undefined],
])("parseRetryAfter reads %j as %s ms", (headers, expected) => {
  expect(parseRetryAfter(new Headers(headers as Record<string, string>), now)).toBe(expected)
})
