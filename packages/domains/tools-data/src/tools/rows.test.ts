import { assert, describe, it } from "@effect/vitest"
import { call, failure, given, open } from "../../test/toolCall.ts"

const lines = Array.from(
  { length: 250 },
  (_, index) => `p${index},${index},2024-01-0${(index % 9) + 1}`,
)
const file = given("people.csv", `name,n,born\n${lines.join("\n")}\n`)

describe("rows", () => {
  it("gives typed rows of a file, the first page unless another is named", async () => {
    const { rows, ...rest } = await call("rows", { path: file, limit: 100 })
    assert.deepStrictEqual(rest, { type: "rows", page: 1, pages: 3, total: 250 })
    const list = rows as ReadonlyArray<object>
    assert.strictEqual(list.length, 100)
    assert.deepStrictEqual(list[1], { name: "p1", n: 1, born: "2024-01-02" })
  })

  it("gives every row of a result once over all pages, in its order", async () => {
    const { table } = await open(file)
    const names = []
    for (const page of [1, 2, 3]) {
      const { rows } = await call(
        "rows",
        { columns: ["name"], limit: 100, page },
        { table: table! },
      )
      names.push(...(rows as ReadonlyArray<{ name: string }>).map(({ name }) => name))
    }
    assert.deepStrictEqual(
      names,
      lines.map((line) => line.split(",")[0]!),
    )
  })

  it("gives all rows without a limit, and refuses a table that is too long for a list", async () => {
    const { rows } = await call("rows", { path: file })
    assert.lengthOf(rows as ReadonlyArray<object>, 250)
    const long = given("long.csv", `n\n${Array.from({ length: 10_001 }, (_, n) => n).join("\n")}\n`)
    const { message } = await failure("rows", { path: long })
    assert.include(message, "has 10,001 rows")
    assert.include(message, "with limit and page")
    const { total } = await call("rows", { path: long, page: 2 })
    assert.strictEqual(total, 10_001)
  })

  it("gives no rows behind the last page", async () => {
    const found = await call("rows", { path: file, limit: 100, page: 4 })
    assert.deepStrictEqual(found["rows"], [])
  })

  it("refuses an unknown column, neither a file nor a table, and both", async () => {
    const unknown = await failure("rows", { path: file, columns: ["nme"] })
    assert.include(unknown.message, 'did you mean "name"')
    assert.include((await failure("rows", {})).message, "needs a table")
    const { table } = await open(file)
    const both = await failure("rows", { path: file }, { table: table! })
    assert.include(both.message, "not both")
  })
})
