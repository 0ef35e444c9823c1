import { assert, describe, it } from "vitest"
import { callWords } from "./CallWords.ts"
import { english } from "./words/english.ts"
import { readCall } from "./readCall.ts"
import { readNumber } from "./readNumber.ts"
import { spanish } from "./words/spanish.ts"

describe("readNumber", () => {
  it.each([
    ["200", 200, 200],
    ["10.5", 10.5, 10.5],
    ["-50", -50, -50],
    ["−50", -50, -50],
    ["$-50", -50, -50],
    ["1,500.50", 1500.5, 1500.5],
    ["12,345,678", 12_345_678, 12_345_678],
    ["1,500", 1500, undefined],
    ["1.500", 1.5, undefined],
    ["1.500,50", undefined, 1500.5],
    ["10,5", undefined, 10.5],
    ["1,50,0", undefined, undefined],
    ["-$-5", undefined, undefined],
    ["5-10", undefined, undefined],
    ["12:30", undefined, undefined],
    ["12%", undefined, undefined],
  ] as const)("reads %s in English and in Spanish, or not at all", (text, en, es) => {
    assert.strictEqual(readNumber(text, english)?.value, en)
    assert.strictEqual(readNumber(text, spanish)?.value, es)
  })

  it("gives the mark of a currency", () => {
    assert.deepStrictEqual(readNumber("$1,500", english), { value: 1500, mark: "$" })
    assert.deepStrictEqual(readNumber("-€5", english), { value: -5, mark: "€" })
  })
})

describe("a number of a request", () => {
  const quote = callWords(
    {
      name: "create_quote",
      summary: "Makes a quote.",
      keywords: ["quote", "dollars", "$"],
      capabilities: [],
      inputs: {},
      outputs: [],
      effect: "read",
      params: {
        type: "object",
        properties: { amount: { type: "number" } },
        required: ["amount"],
      },
    },
    english,
  )
  const amount = (text: string) =>
    readCall(quote, { text, grammar: english, today: "2026-11-23" }).params["amount"]

  it.each([
    ["quote for 200 dollars", 200],
    ["quote for -200 dollars", -200],
    ["quote for $1,500", 1500],
    ["quote for €200", undefined],
    ["quote for 1,50,0 dollars", undefined],
    ["quote for 10-20 dollars", undefined],
    ["quote Q-12", undefined],
    ["quote for 200 dollars or 300 dollars", undefined],
  ])("is the value of %s as a whole or not at all", (text, value) => {
    assert.strictEqual(amount(text), value)
  })
})
