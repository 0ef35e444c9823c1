import { assert, describe, it } from "vitest"
import { callWords } from "./CallWords.ts"
import { english } from "./words/english.ts"
import { readRequest, type Expected } from "./readRequest.ts"

const reference = (role: string) => ({ type: "string", minLength: 1, role })

const sending = (needs_approval: boolean) =>
  callWords(
    {
      name: "send_money",
      summary: "Sends the money of a quote.",
      capabilities: [],
      inputs: {},
      outputs: [],
      effect: "write",
      needs_approval,
      params: {
        type: "object",
        properties: {
          quote: reference("entity:quote"),
          to: reference("entity:recipient.name"),
        },
        required: ["quote", "to"],
      },
    },
    english,
  )

const entities = [
  { type: "quote", id: "Q-2", name: "", turn: 4 },
  { type: "quote", id: "Q-1", name: "", turn: 2 },
  { type: "recipient", id: "R-1", name: "Rosa Ortega", turn: 1 },
  { type: "recipient", id: "R-2", name: "Mateo Ortega", turn: 1 },
]

const read = (
  text: string,
  options: { approval?: boolean; expected?: ReadonlyArray<Expected> } = {},
) => {
  const { approval = true, expected } = options
  const reading = readRequest({
    text,
    entities,
    grammar: english,
    today: "2026-11-23",
    calls: [sending(approval)],
    near: () => ["send_money"],
    ...(expected === undefined ? {} : { expected }),
  })
  return reading.type === "calls" ? reading.calls[0]!.params : reading.type
}

describe("a param whose values are things of the conversation", () => {
  it.each([
    ["send money to Rosa", { to: "Rosa Ortega", quote: "Q-2" }],
    ["send the money of Q-1 to R-2", { quote: "Q-1", to: "Mateo Ortega" }],
    ['send "Q-1" to "Rosa Ortega"', { quote: "Q-1", to: "Rosa Ortega" }],
  ])("is read from %j", (text, params) => {
    assert.deepStrictEqual(read(text), params)
  })

  it.each([
    "send money to Ortega",
    "send money to Pedro",
    "send money to Rosa or Mateo",
    "banana, send money to Rosa",
    "send money of Q-9 to Rosa",
    "do not send money to Rosa",
  ])("is left open in %j, so that nothing is called", (text) => {
    assert.isString(read(text))
  })

  it("is the last one mentioned only where a person approves the call", () => {
    assert.strictEqual(read("send money to Rosa", { approval: false }), "ask")
    // Two recipients were mentioned at once: neither is the last.
    assert.strictEqual(read("send money"), "ask")
  })

  it("asks for the call by itself only where the conversation is at its tool", () => {
    assert.strictEqual(read("Rosa"), "none")
    assert.deepStrictEqual(read("to Rosa please", { expected: [{ tool: "send_money" }] }), {
      to: "Rosa Ortega",
      quote: "Q-2",
    })
    assert.isString(read("Rosa tomorrow", { expected: [{ tool: "send_money" }] }))
    assert.isString(read("not Rosa", { expected: [{ tool: "send_money" }] }))
  })

  it("is another thing where the name is longer, and the same behind a relation", () => {
    const at = { expected: [{ tool: "send_money" }] }
    assert.isString(read("to Rosa Lopez", at))
    assert.isString(read("to Maria Rosa", at))
    assert.deepStrictEqual(read("to my mother Rosa", at), { to: "Rosa Ortega", quote: "Q-2" })
    assert.isString(read("to the shop of Rosa", at))
    assert.isString(read("to the shop Rosa", at))
  })

  it("takes the place of a value that was given before, also behind words of a correction", () => {
    const given = { to: "Mateo Ortega" }
    for (const text of ["Rosa", "no, Rosa", "actually, make it Rosa"])
      assert.deepStrictEqual(
        read(text, { expected: [{ tool: "send_money", given }] }),
        { to: "Rosa Ortega", quote: "Q-2" },
        text,
      )
    assert.isString(read("no, not Rosa", { expected: [{ tool: "send_money", given }] }))
  })
})
