/** Results of assertions and the values that decided them. */
import { assert, describe, it } from "@effect/vitest"
import { evaluateAssertion } from "./evaluateAssertion.ts"

const scope = {
  outputs: { count: 2, text: "North leads", none: null },
  events: [{ type: "A" }, { type: "B" }],
}

const partsOf = (source: string) =>
  evaluateAssertion(source, scope).parts.map(({ failure, source: part, value }) =>
    failure === undefined ? `${part} = ${JSON.stringify(value)}` : `${part}: ${failure}`,
  )

describe("evaluateAssertion of a true assertion", () => {
  it("returns no parts", () => {
    assert.deepStrictEqual(evaluateAssertion("outputs.count == 2", scope), {
      holds: true,
      parts: [],
    })
  })
})

describe("evaluateAssertion of a false assertion", () => {
  it.each([
    ["outputs.count == 3", ["outputs.count = 2"]],
    ["3 < outputs.count", ["outputs.count = 2"]],
    ["outputs.count + 1 == size(events)", ["outputs.count + 1 = 3", "size(events) = 2"]],
    ['outputs.text.contains("South")', ['outputs.text = "North leads"']],
    ['outputs.text in ["a", "b"]', ['outputs.text = "North leads"']],
    ['!outputs.text.startsWith("North")', ['outputs.text = "North leads"']],
    ["has(outputs.chart)", ['outputs = {"count":2,"text":"North leads","none":null}']],
    ['events.all(e, e.type == "A")', ['events = [{"type":"A"},{"type":"B"}]']],
    ["outputs.count == outputs.count + 1", ["outputs.count = 2", "outputs.count + 1 = 3"]],
  ])("returns the deciding values of %s", (source, parts) => {
    assert.isFalse(evaluateAssertion(source, scope).holds)
    assert.deepStrictEqual(partsOf(source), parts)
  })

  it("omits the true sides of && and returns both sides of ||", () => {
    assert.deepStrictEqual(partsOf('outputs.count == 2 && outputs.text == "x"'), [
      'outputs.text = "North leads"',
    ])
    assert.deepStrictEqual(partsOf('outputs.count == 1 || outputs.text == "x"'), [
      "outputs.count = 2",
      'outputs.text = "North leads"',
    ])
  })

  it("returns each part once", () => {
    assert.deepStrictEqual(partsOf("outputs.count > 5 || outputs.count < 1"), ["outputs.count = 2"])
  })
})

describe("evaluateAssertion without a truth value", () => {
  it("returns the failure of the whole and of its part", () => {
    const { failure, holds, parts } = evaluateAssertion("outputs.chart.svg == 1", scope)
    assert.isFalse(holds)
    assert.include(failure!, "outputs has no chart")
    assert.include(parts[0]!.failure!, "outputs has no chart")
    assert.strictEqual(
      evaluateAssertion("outputs.count", scope).failure,
      "it is neither true nor false",
    )
  })

  it("throws on bad syntax", () => {
    assert.throws(
      () => evaluateAssertion("outputs.count ==", scope),
      "a value is missing at the end",
    )
  })
})
