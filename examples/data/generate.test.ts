import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { planted, sales, supportTickets } from "./generate.ts"

const shipped = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8")

describe("the example tables", () => {
  it("are the very bytes the generator writes", () => {
    assert.isTrue(shipped("sales.csv") === sales())
    assert.isTrue(shipped("support_tickets.csv") === supportTickets())
  })

  it("stay below a megabyte", () => {
    assert.isBelow(sales().length, 1_000_000)
  })

  it("plant what README.md documents", () => {
    const readme = shipped("README.md")
    for (const day of ["2022-08-15", "2023-03-06", "2023-07-10", "2024-05-01", "2024-09-17"])
      assert.include(readme, day)
    const at = (region: string, category: string, date: string) =>
      planted({ region, category, date })
    assert.strictEqual(at("Asia Pacific", "Home", "2022-08-18"), undefined)
    assert.deepStrictEqual(at("Europe", "Toys", "2023-03-26"), { units: 0.15, returns: 1 })
    assert.deepStrictEqual(at("Europe", "Toys", "2023-03-27"), { units: 1, returns: 1 })
    assert.deepStrictEqual(at("North America", "Electronics", "2023-07-16"), {
      units: 5,
      returns: 1,
    })
    assert.deepStrictEqual(at("Asia Pacific", "Toys", "2024-05-31"), { units: 1, returns: 8 })
    assert.deepStrictEqual(at("Latin America", "Home", "2024-09-17"), { units: 20, returns: 1 })
  })
})
