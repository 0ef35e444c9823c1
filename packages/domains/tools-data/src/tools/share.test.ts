import { assert, describe, it } from "@effect/vitest"
import { callTable, failure, given, independently, open, sales } from "../../test/toolCall.ts"

const grouped = async (group_by: ReadonlyArray<string>) =>
  (await callTable("aggregate", { group_by, metrics: ["revenue"] }, await open(sales))) as never

describe("share", () => {
  it("agrees with DuckDB on each group's share, largest first", async () => {
    const table = await callTable("share", { metrics: ["revenue"] }, await grouped(["region"]))
    const expected = await independently(
      `SELECT region, sum(revenue) * 100 / (SELECT sum(revenue) FROM '${sales}') AS part
       FROM '${sales}' GROUP BY region ORDER BY part DESC`,
    )
    assert.deepStrictEqual(
      table.preview.map(({ region }) => region),
      expected.map(({ region }) => region),
    )
    for (const [index, { part }] of expected.entries())
      assert.closeTo(Number(table.preview[index]!["revenue_share"]), Number(part), 1e-9)
    const all = table.preview.reduce((sum, row) => sum + Number(row["revenue_share"]), 0)
    assert.closeTo(all, 100, 1e-9)
  })

  it("computes shares within each group", async () => {
    const table = await callTable(
      "share",
      { metrics: ["revenue"], within: ["region"] },
      await grouped(["region", "product_category"]),
    )
    const sums = new Map<unknown, number>()
    for (const row of table.preview)
      sums.set(row["region"], (sums.get(row["region"]) ?? 0) + Number(row["revenue_share"]))
    assert.strictEqual(sums.size, 4)
    for (const sum of sums.values()) assert.closeTo(sum, 100, 1e-9)
  })

  it("returns no share for negative or zero totals, and keeps missing values", async () => {
    const shares = async (name: string, rows: string) => {
      const file = given(`share-${name}.csv`, `a,"x""y"\n${rows}`)
      const table = await callTable("share", { metrics: ['x"y'] }, await open(file))
      return table.preview.map((row) => row['x"y_share'])
    }
    assert.deepStrictEqual(await shares("negative", "p,3\nq,-1\n"), [null, null])
    assert.deepStrictEqual(await shares("nothing", "p,0\nq,0\n"), [null, null])
    assert.deepStrictEqual(await shares("missing", "p,1\nq,\nr,3\n"), [75, 25, null])
  })

  it("rejects a column that is not a number", async () => {
    const { message } = await failure(
      "share",
      { metrics: ["region"] },
      { table: await grouped(["region"]) },
    )
    assert.match(message, /holds strings/)
  })
})
