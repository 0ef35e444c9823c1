/** The validator `pii`: what it does with personal data. */
import { validatorSuite } from "@planloom/testing"
import { assert, describe, it } from "vitest"
import { of, validated } from "./of.ts"
import { longTexts, streamedOtherwise } from "./streamLaw.ts"

const pii = of("pii")
const text = "Write to ada@example.org or help@acme.com."

validatorSuite({ describe, it }, pii, [
  { name: "replaces personal data", text, verdict: "replace" },
  { name: "flags personal data", text, with: { action: "flag" }, verdict: "flag" },
  { name: "blocks personal data", text, with: { action: "block" }, verdict: "block" },
  { name: "passes a text without any", text: "Order 12345 costs 17.45.", verdict: "pass" },
  {
    name: "passes kinds that it does not search",
    text,
    with: { kinds: ["card"] },
    verdict: "pass",
  },
  {
    name: "passes allowed texts",
    text,
    with: { allow: ["ada@example.org", "help@acme.com"] },
    verdict: "pass",
  },
  {
    name: "replaces phone numbers of several countries",
    text: "(415) 555-2671",
    with: { country: ["MX", "US"] },
    verdict: "replace",
  },
])

describe("the finding of the validator pii", () => {
  it("has a text for each place, and no personal data in its words", () => {
    const finding = validated("pii", text, { allow: ["help@acme.com"] })
    assert.deepStrictEqual(finding, {
      verdict: "replace",
      confidence: 1,
      reason: "the text has personal data: email",
      issues: ["email"],
      rules: ["email"],
      spans: [{ start: 9, end: 24, text: "[email]" }],
    })
  })

  it("takes linear time", () => {
    for (const long of longTexts("@a", "a@b.", "1-", "DE89 ")) {
      assert.strictEqual(validated("pii", long, { country: "US" }).verdict, "pass")
    }
  })

  it("is the same for a streamed text", () => {
    const fragments = ["ada@example.org", "4111 1111 1111 1111", "(415) 555-2671", "hello"]
    assert.isNull(streamedOtherwise(pii, { country: "US" }, fragments))
  })
})
