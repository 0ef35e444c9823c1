/** Accepted values are valid, and valid values are accepted unchanged, however much syntax repair they need. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { validatorOf } from "@planloom/schema/ajv"
import { parse, type Json } from "@planloom/salvage"

const text = fc.constantFrom(
  "a",
  "ab",
  "tomorrow",
  "2024-02-29",
  "2023-02-29",
  "x@example.org",
  "7",
)
const scalar = fc.oneof(text, fc.integer({ min: -1, max: 9 }), fc.boolean(), fc.constant(null))
const member = fc.oneof(
  fc.record({
    type: fc.constant("string"),
    format: fc.constantFrom("date", "email", "uri", "duration"),
  }),
  fc.record({ type: fc.constant("string"), pattern: fc.constantFrom("^a+$", "^\\d+$", "b") }),
  fc.record({ type: fc.constant("integer"), minimum: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.constant({ type: "array", items: { type: "string", maxLength: 2 }, minItems: 1 }),
  fc.constant({
    items: [{ type: "string" }, { type: "integer" }],
    additionalItems: false,
    minItems: 2,
  }),
  fc.constant({ $ref: "#/$defs/day" }),
)
const schema = fc.record({ on: member, by: member }).map((properties) => ({
  type: "object",
  properties,
  required: ["on"],
  additionalProperties: false,
  $defs: { day: { type: "string", format: "date" } },
}))
const inner: fc.Arbitrary<Json> = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }))
const value: fc.Arbitrary<Json> = fc.record({ on: inner, by: inner }, { requiredKeys: ["on"] })

/** The same value, as models write it. */
const written: { readonly [how: string]: (json: string) => string } = {
  "as it is": (json) => json,
  "with a comma too many": (json) => json.replace(/}$/, ",}"),
  "in a fence": (json) => `Here it is:\n\`\`\`json\n${json}\n\`\`\``,
  "with a bare key": (json) => json.replace('{"on":', "{on:"),
}

describe.each(Object.keys(written))("a reply %s", (how) => {
  it("is accepted only if valid for its schema, and unchanged if valid as written", () => {
    let valid = 0
    fc.assert(
      fc.property(schema, value, (rules, given) => {
        const validate = validatorOf(rules)
        const read = parse(written[how]!(JSON.stringify(given)), rules)
        if (read.ok) expect(validate(read.value)).toEqual([])
        if (validate(given).length > 0) return
        valid++
        expect(read).toMatchObject({ ok: true, value: given })
      }),
      { numRuns: 1000 },
    )
    expect(valid).toBeGreaterThan(10)
  })
})
