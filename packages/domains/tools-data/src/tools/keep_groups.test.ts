import { assert, it } from "@effect/vitest"
import { callTable, independently, open, sales } from "../../test/toolCall.ts"

it("keep_groups agrees with DuckDB on the groups above a threshold", async () => {
  const grouped = await callTable(
    "aggregate",
    { group_by: ["region", "product_category"], metrics: ["units"] },
    await open(sales),
  )
  const having = [{ column: "units", op: ">", value: 100_000 }]
  const table = await callTable("keep_groups", { having }, grouped as never)
  const expected = await independently(
    `SELECT region, product_category FROM '${sales}' GROUP BY ALL HAVING sum(units) > 100000 ORDER BY ALL`,
  )
  assert.deepStrictEqual(
    table.preview.map(({ product_category, region }) => ({ region, product_category })),
    expected as never,
  )
})
