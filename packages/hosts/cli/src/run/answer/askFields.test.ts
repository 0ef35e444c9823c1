/** Answers with fields at the terminal: what is asked, and what the answers become. */
import { assert, describe, it } from "vitest"
import type { JsonSchema, Wait } from "@planloom/plugin/effect"
import { askFields, fieldsOf } from "./askFields.ts"

const schema: JsonSchema = {
  type: "object",
  properties: {
    send: { type: "boolean", description: "Whether it leaves." },
    copies: { type: "integer", minimum: 1 },
    tone: { enum: ["plain", "warm"] },
    why: { type: "string" },
  },
  required: ["send", "copies"],
}
const wait = { name: "ask", kind: "question", message: "Send it?", schema } as unknown as Wait

const asked = async (...typed: ReadonlyArray<string>) => {
  const prompts: Array<string> = []
  const warnings: Array<string> = []
  const value = await askFields(wait, fieldsOf(wait)!, {
    question: async (prompt) => typed[prompts.push(prompt) - 1] ?? assert.fail("asked too often"),
    warn: (text) => void warnings.push(text),
  })
  return { prompts, warnings, value }
}

describe("an answer with fields", () => {
  it("is asked field by field, in words for each", async () => {
    const { prompts, value, warnings } = await asked("y", "2", "", "in time")
    assert.deepStrictEqual(value, { send: true, copies: 2, why: "in time" })
    assert.deepStrictEqual(prompts, [
      "send (Whether it leaves.): yes or no [empty: later]",
      "copies: a whole number, at least 1 [empty: later]",
      'tone: one of "plain", "warm" [empty: none]',
      "why: text [empty: none]",
    ])
    assert.deepStrictEqual(warnings, [])
  })

  it("asks a field again that does not fit, and leaves the question open without a required one", async () => {
    const { value, warnings } = await asked("no", "0", "3", "warm", "")
    assert.deepStrictEqual(value, { send: false, copies: 3, tone: "warm" })
    assert.lengthOf(warnings, 1)
    assert.isUndefined((await asked("no", "")).value)
  })

  it("is also one JSON object", async () => {
    const { value } = await asked('{"send": true, "copies": 1}')
    assert.deepStrictEqual(value, { send: true, copies: 1 })
  })

  it("is asked as a whole if it is one value, has options or is yes or no", () => {
    const whole = (one: object) => fieldsOf({ ...wait, ...one } as Wait)
    assert.isUndefined(whole({ schema: { type: "string" } }))
    assert.isUndefined(whole({ options: ["a"] }))
    assert.isUndefined(
      whole({ schema: { type: "object", properties: { approved: { type: "boolean" } } } }),
    )
  })
})
