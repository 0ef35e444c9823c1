import { assert, describe, it } from "@effect/vitest"
import { judge } from "./judge.ts"

const scope = {
  outputs: { count: 2, text: "North leads", none: null },
  events: [{ type: "A" }, { type: "B" }],
}

const said = (source: string) =>
  judge(source, scope).parts.map(({ failure, source: part, value }) =>
    failure === undefined ? `${part} = ${JSON.stringify(value)}` : `${part}: ${failure}`,
  )

describe("an assertion that holds", () => {
  it("says so and nothing else", () => {
    assert.deepStrictEqual(judge("outputs.count == 2", scope), { holds: true, parts: [] })
  })
})

describe("an assertion that does not hold", () => {
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
  ])("%s tells the values that decided", (source, parts) => {
    assert.isFalse(judge(source, scope).holds)
    assert.deepStrictEqual(said(source), parts)
  })

  it("leaves out the sides of && that hold, and tells both of ||", () => {
    assert.deepStrictEqual(said('outputs.count == 2 && outputs.text == "x"'), [
      'outputs.text = "North leads"',
    ])
    assert.deepStrictEqual(said('outputs.count == 1 || outputs.text == "x"'), [
      "outputs.count = 2",
      'outputs.text = "North leads"',
    ])
  })

  it("tells each part once", () => {
    assert.deepStrictEqual(said("outputs.count > 5 || outputs.count < 1"), ["outputs.count = 2"])
  })
})

describe("an assertion without a truth value", () => {
  it("says why, and where", () => {
    const { failure, holds, parts } = judge("outputs.chart.svg == 1", scope)
    assert.isFalse(holds)
    assert.include(failure!, "outputs has no chart")
    assert.include(parts[0]!.failure!, "outputs has no chart")
    assert.strictEqual(judge("outputs.count", scope).failure, "it is neither true nor false")
  })

  it("cannot be judged when it is not an expression", () => {
    assert.throws(() => judge("outputs.count ==", scope), "a value is missing at the end")
  })
})
