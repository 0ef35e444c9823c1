/** The usage of each request of a call, and its price. */
import { describe, expect, it } from "vitest"
import { costOf } from "./Facts.ts"
import { requestsOf, requestUsages } from "./requestUsages.ts"

const price = {
  input: 1,
  output: 10,
  cached: 0.5,
  written: undefined,
  long: { above: 100_000, input: 2, output: 20, cached: 1, written: undefined },
}

const paused = {
  input: 190_000,
  output: 30,
  cached: 10_000,
  earlier: [
    { input: 60_000, output: 10 },
    { input: 60_000, output: 10 },
  ],
}

describe("a call whose service paused the reply", () => {
  it("has the usage of each request", () => {
    expect(requestUsages(paused)).toEqual([
      ...paused.earlier,
      { input: 70_000, output: 10, cached: 10_000 },
    ])
    expect(requestUsages({ input: 1, output: 2 })).toEqual([{ input: 1, output: 2 }])
  })

  it("has the price of its requests, none of which is long", () => {
    expect(costOf(paused, price)).toBe(0.1853)
  })

  it("counts each request that was sent", () => {
    expect(requestsOf({ usage: paused })).toBe(3)
    const failure = { class: "unavailable", message: "no connection", unsent: true } as const
    expect(requestsOf({ usage: paused, failure })).toBe(2)
    expect(requestsOf({ usage: { input: 0, output: 0 }, failure })).toBe(0)
  })
})
