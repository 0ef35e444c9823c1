/** Classes of failures, and messages that hold no secret. */
import { expect, it } from "vitest"
import { classOf, clean, failureOf } from "./Trouble.ts"

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
  [500, "", "unavailable"],
  [501, "", "invalid_request"],
  [502, "", "unavailable"],
  [503, "", "overloaded"],
  [504, "", "timeout"],
  [529, "", "overloaded"],
] as const)("%s %s is %s", (status, message, expected) => {
  expect(classOf(status, message)).toBe(expected)
})

it("keeps secrets and the queries of URLs out of messages, on one line of bounded length", () => {
  expect(clean("bad key abc123\n  at https://x.org/v1?key=abc123 (abc123)", ["abc123", ""])).toBe(
    "bad key [secret] at https://x.org/v1 ([secret])",
  )
  expect(clean("x".repeat(2000))).toHaveLength(500)
})

it("names the key that was refused, and no key where something else is wrong", () => {
  const said = (status: number, key?: string) =>
    failureOf("acme/small", { status, message: "No, abc123." }, ["abc123"], key).message
  expect(said(401, "ACME_KEY")).toBe("No, [secret] (the key is ACME_KEY)")
  expect(said(401)).toBe("No, [secret].")
  expect(said(500, "ACME_KEY")).toBe("No, [secret].")
})
