import { assert, describe, it } from "@effect/vitest"
import { callTable, failure, given, open, sales } from "../../test/toolCall.ts"

describe("time_part", () => {
  it("gives weekdays and months by name, the other parts as numbers", async () => {
    const file = given("parts.csv", "at\n2024-03-04 17:30:00\n2024-12-29 00:05:00\n")
    const parts = ["weekday", "month", "hour", "quarter", "day"]
    const found = []
    for (const part of parts) {
      const table = await callTable("time_part", { column: "at", part }, await open(file))
      found.push(table.preview.map((row) => row[part]))
    }
    assert.deepStrictEqual(found, [
      ["Monday", "Sunday"],
      ["March", "December"],
      [17, 0],
      [1, 4],
      [4, 29],
    ])
  })

  it("names its column freely, and rejects a column that is no date", async () => {
    const table = await open(sales)
    const named = await callTable(
      "time_part",
      { column: "date", part: "weekday", as: "region" },
      table,
    )
    assert.strictEqual(named.columns.at(-1)!.name, "region_2")
    const { message } = await failure("time_part", { column: "region", part: "hour" }, { table })
    assert.match(message, /not dates/)
  })
})
