/** Failure classes of HTTP statuses, and redaction of error messages. */
import { expect, it } from "vitest"
import { classifyStatus, redact, toModelFailed } from "./ProviderError.ts"

it.each([
  [undefined, "", "unavailable"],
  [400, "no such field", "invalid_request"],
  [400, "prompt is too long: 210000 tokens > 200000 maximum", "context_length"],
  [400, "This model's maximum context length is 4096 tokens", "context_length"],
  [400, "the request exceeds the available context size", "context_length"],
  [401, "", "auth"],
  [402, "", "auth"],
  [403, "", "auth"],
  [404, "no such model", "invalid_request"],
  [408, "", "timeout"],
  [409, "", "unavailable"],
  [413, "", "context_length"],
  [429, "", "rate_limit"],
  [429, "Rate limit reached for requests", "rate_limit"],
  [400, "Your credit balance is too low to access the Anthropic API.", "auth"],
  [429, "You exceeded your current quota, please check your plan and billing details.", "auth"],
  [429, "Insufficient balance or no resource package. Please recharge.", "auth"],
  [412, "The account is suspended: it reached its monthly spending limit", "auth"],
  [500, "", "unavailable"],
  [501, "", "invalid_request"],
  [502, "", "unavailable"],
  [503, "", "overloaded"],
  [504, "", "timeout"],
  [529, "", "overloaded"],
] as const)("classifyStatus maps status %s with message %j to %s", (status, message, expected) => {
  expect(classifyStatus(status, message)).toBe(expected)
})

it("redact removes secrets and query strings and returns one line of bounded length", () => {
  expect(redact("bad key abc123\n  at https://x.org/v1?key=abc123 (abc123)", ["abc123", ""])).toBe(
    "bad key [secret] at https://x.org/v1 ([secret])",
  )
  expect(redact("x".repeat(2000))).toHaveLength(500)
  const encoded = Buffer.from("sk-abc123-long").toString("base64")
  expect(redact(`bad key ${encoded}`, ["sk-abc123-long"])).toBe("bad key [secret]")
})

it("an auth failure names the refused key; other failures name no key", () => {
  const messageOf = (status: number, key?: string) =>
    toModelFailed("acme/small", { status, message: "No, abc123." }, ["abc123"], key).message
  expect(messageOf(401, "ACME_KEY")).toBe("No, [secret] (the key is ACME_KEY)")
  expect(messageOf(401)).toBe("No, [secret].")
  expect(messageOf(500, "ACME_KEY")).toBe("No, [secret].")
})
