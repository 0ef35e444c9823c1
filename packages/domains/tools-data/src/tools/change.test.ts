import { assert, describe, it } from "@effect/vitest"
import { callTable, failure, given, open, sales } from "../../test/toolCall.ts"

const file = () =>
  open(given("change.csv", "year,city,n\n2020,A,10\n2021,A,15\n2020,B,4\n2021,B,1\n2022,B,0\n"))

describe("change", () => {
  it("compares each row with the one before it in its own group", async () => {
    const params = { metrics: ["n"], along: "year", within: ["city"] }
    const table = await callTable("change", params, await file())
    assert.deepStrictEqual(
      table.preview.map((row) => [row["n_change"], row["n_change_percent"]]),
      [
        [null, null],
        [5, 50],
        [null, null],
        [-3, -75],
        [-1, -100],
      ],
    )
  })

  it("rejects a column that is not a number", async () => {
    const inputs = { table: await open(sales) }
    const { message } = await failure("change", { metrics: ["region"] }, inputs)
    assert.match(message, /holds strings/)
  })
})
