import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { callTable, failure, given, independently, open, sales } from "../../test/toolCall.ts"
import { cases } from "../../../../../.config/cases.ts"

describe("histogram", () => {
  it("agrees with an independent query on the count per interval", async () => {
    const table = await callTable("histogram", { column: "revenue" }, await open(sales))
    const counted = await independently(
      `SELECT floor(revenue / 500) * 500 AS low, count(*)::INT AS n FROM '${sales}' GROUP BY 1`,
    )
    for (const { from, count } of table.preview)
      assert.strictEqual(count, counted.find(({ low }) => low === from)?.["n"] ?? 0)
    const width = Number(table.preview[0]!["to"]) - Number(table.preview[0]!["from"])
    assert.strictEqual(width, 500)
  })

  it("reports the number of omitted outliers", async () => {
    const table = await callTable("histogram", { column: "revenue" }, await open(sales))
    const end = Number(table.preview.at(-1)!["to"])
    const [expected] = await independently(
      `SELECT count(*)::INT AS n FROM '${sales}' WHERE revenue > ${end}`,
    )
    assert.isAbove(Number(expected!["n"]), 0)
    assert.include(table.notes!.join(" "), `${String(expected!["n"])} values above`)
    const shown = table.preview.reduce((sum, row) => sum + Number(row["count"]), 0)
    assert.strictEqual(shown + Number(expected!["n"]), 17_508)
  })

  it("includes all values if the ends are given", async () => {
    const table = await callTable(
      "histogram",
      { column: "revenue", from: 0, to: 70_000, bins: 7 },
      await open(sales),
    )
    assert.strictEqual(table.rows, 7)
    assert.strictEqual(
      table.preview.reduce((sum, row) => sum + Number(row["count"]), 0),
      17_508,
    )
  })

  it("uses one interval per whole number if they are few", async () => {
    const table = await callTable(
      "histogram",
      { column: "n" },
      await open(given("dice.csv", `n\n${[1, 2, 2, 3, 6, 6, 6].join("\n")}\n`)),
    )
    assert.deepStrictEqual(
      table.preview.map((row) => [row["from"], row["count"]]),
      [
        [1, 1],
        [2, 2],
        [3, 1],
        [4, 0],
        [5, 0],
        [6, 3],
      ],
    )
  })

  it("uses the same intervals for each group, with shares of the group", async () => {
    const table = await callTable(
      "histogram",
      { column: "v", group_by: ["g"], bins: 2, from: 0, to: 2 },
      await open(given("hist-groups.csv", "g,v\na,0.5\na,0.7\na,1.5\nb,1.9\n,0.1\n")),
    )
    assert.deepStrictEqual(
      table.preview.map((row) => [row["g"], row["from"], row["count"], Number(row["percent"])]),
      [
        ["a", 0, 2, (100 * 2) / 3],
        ["a", 1, 1, 100 / 3],
        ["b", 0, 0, 0],
        ["b", 1, 1, 100],
        [null, 0, 1, 100],
        [null, 1, 0, 0],
      ],
    )
  })

  it("accepts one value, equal values and gaps, and rejects a column without values", async () => {
    const equal = await callTable(
      "histogram",
      { column: "n" },
      await open(given("equal.csv", "a,n\nx,5.5\ny,5.5\nz,\n")),
    )
    assert.strictEqual(
      equal.preview.reduce((sum, row) => sum + Number(row["count"]), 0),
      2,
    )
    assert.include(equal.notes!.join(" "), "1 rows have no value")
    const none = await callTable(
      "filter",
      { filters: [{ column: "n", op: ">", value: 99 }] },
      await open(given("hist-none.csv", "a,n\nx,1\n")),
    )
    const error = await failure("histogram", { column: "n" }, { table: none as never })
    assert.include(error.message, "no values")
  })

  it("counts every value exactly once for any numbers", async () => {
    let file = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.integer({ min: -1000, max: 1000 }),
            fc.double({ min: -1e9, max: 1e9, noNaN: true }),
            fc.constantFrom(0.1, 0.2, 0.3, 0.7, 1e-9),
          ),
          { minLength: 1, maxLength: 30 },
        ),
        async (numbers) => {
          const rows = numbers.map((v) => JSON.stringify({ v: v + 0 })).join("\n")
          const table = await open(given(`hist-any-${file++}.ndjson`, `${rows}\n`))
          const result = await callTable("histogram", { column: "v" }, table)
          const low = Number(result.preview[0]!["from"])
          const high = Number(result.preview.at(-1)!["to"])
          const inside = numbers.filter((v) => v >= low && v <= high).length
          const counted = result.preview.reduce((sum, row) => sum + Number(row["count"]), 0)
          assert.strictEqual(counted, inside)
          const formatted =
            (result.notes ?? []).join(" ").match(/([\d,]+) values? (above|below)/g) ?? []
          const lost = formatted.reduce(
            (sum, text) => sum + Number.parseInt(text.replaceAll(",", ""), 10),
            0,
          )
          assert.strictEqual(inside + lost, numbers.length)
        },
      ),
      { numRuns: cases(15) },
    )
  })
})
