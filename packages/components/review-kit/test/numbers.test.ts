/** Numbers in texts: what they may mean. */
import { assert, describe, it } from "vitest"
import { numbersIn } from "../src/index.ts"

const read: ReadonlyArray<
  readonly [text: string, ...values: ReadonlyArray<ReadonlyArray<number>>]
> = [
  ["It costs $1,234.56 today.", [1234.56]],
  ["Cuesta 1.234,56 € hoy.", [1234.56]],
  ["1 234 567,8 pesos", [1234567.8]],
  ["a rate of 17.45", [17.45]],
  ["1,234 people", [1.234, 1234]],
  ["5 % and 0,5%", [5], [0.5]],
  ["on 2026-03-15 at 17:30", [2026], [3], [15], [17], [30]],
  ["15.03.2026", [15], [3], [2026]],
  ["3 million, 2 mil", [3e6], [2000]],
  ["$5k", [5000]],
  ["B2B and v2"],
  ["1, 2, 3", [1], [2], [3]],
  ["100 20", [100], [20]],
  ["100 200", [100200]],
]

describe("numbers of a text", () => {
  it.each(read.map(([text, ...values]) => ({ text, values })))("$text", ({ text, values }) => {
    assert.deepStrictEqual(
      numbersIn(text).map((one) => one.values),
      values,
    )
  })

  it("have a currency, a percent sign, and their places", () => {
    const [money, share, after] = numbersIn("MXN 1,000.50 or 5% of 20 USD")
    assert.deepInclude(money, { start: 4, end: 12, isMoney: true, isPercent: false })
    assert.deepInclude(share, { isMoney: false, isPercent: true })
    assert.deepInclude(after, { isMoney: true })
  })
})
