import { writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import { call, callTable, failure, given, open } from "../../test/toolCall.ts"
import type { Table } from "../table/Table.ts"

const orders = () =>
  open(given("join-orders.csv", "id,customer,amount\n1,ann,10\n2,bob,20\n3,cid,30\n4,,40\n"))
const customers = () =>
  open(given("join-customers.csv", "customer,city,amount\nann,Rome,1\nbob,Oslo,2\ndan,Bern,3\n"))

const joined = async (params: JsonObject) =>
  (await call("join", params, {
    left: await orders(),
    right: await customers(),
  })) as unknown as Table

describe("join", () => {
  it("keeps every row of the left table and renames shared column names", async () => {
    const table = await joined({ on: ["customer"] })
    assert.deepStrictEqual(
      table.preview.toSorted((a, b) => Number(a["id"]) - Number(b["id"])),
      [
        { id: 1, customer: "ann", amount: 10, city: "Rome", amount_2: 1 },
        { id: 2, customer: "bob", amount: 20, city: "Oslo", amount_2: 2 },
        { id: 3, customer: "cid", amount: 30, city: null, amount_2: null },
        { id: 4, customer: null, amount: 40, city: null, amount_2: null },
      ],
    )
  })

  it.each([
    ["inner", [1, 2]],
    ["full", [1, 2, 3, 4, null]],
    ["anti", [3, 4]],
  ] as const)("%s keeps the rows its name says", async (how, ids) => {
    const table = await joined({ on: ["customer"], how })
    const found = table.preview.map((row) => row["id"] as number | null)
    assert.deepStrictEqual(
      found.toSorted((a, b) => (a ?? 9) - (b ?? 9)),
      [...ids],
    )
    if (how === "full") assert.include(JSON.stringify(table.preview), '"customer":"dan"')
    if (how === "anti") assert.lengthOf(table.columns, 3)
  })

  it("joins by columns of different names, and notes repeated rows", async () => {
    const table = (await call(
      "join",
      { on: [{ left: "customer", right: "who" }] },
      {
        left: await orders(),
        right: await open(given("join-twice.csv", "who,n\nann,1\nann,2\n")),
      },
    )) as unknown as Table
    assert.strictEqual(table.rows, 5)
    assert.include(table.notes!.join(" "), "rows are repeated")
  })

  it("returns a table that other tools accept, also after JSON serialization", async () => {
    const table = JSON.parse(JSON.stringify(await joined({ on: ["customer"], how: "inner" })))
    const kept = await callTable(
      "filter",
      { filters: [{ column: "city", op: "!=", value: "Oslo" }] },
      table,
    )
    const grouped = await callTable(
      "aggregate",
      { group_by: ["city"], metrics: ["amount"] },
      kept as never,
    )
    assert.deepStrictEqual(grouped.preview, [{ city: "Rome", amount: 10 }])
    const again = (await call(
      "join",
      { on: ["city"] },
      { left: grouped as never, right: table },
    )) as unknown as Table
    assert.deepStrictEqual(
      again.preview.map((row) => [row["city"], row["amount"], row["id"]]),
      [["Rome", 10, 1]],
    )
  })

  it("joins tables that already have operations", async () => {
    const left = await callTable(
      "aggregate",
      { metrics: ["amount"], group_by: ["customer"] },
      await orders(),
    )
    const right = await callTable(
      "filter",
      { filters: [{ column: "city", op: "=", value: "Rome" }] },
      await customers(),
    )
    const table = (await call(
      "join",
      { on: ["customer"], how: "inner" },
      { left: left as never, right: right as never },
    )) as unknown as Table
    assert.deepStrictEqual(table.preview, [
      { customer: "ann", amount: 10, city: "Rome", amount_2: 1 },
    ])
  })

  it("rejects keys of different types, tables without a shared name, and a single table", async () => {
    const inputs = { left: await orders(), right: await customers() }
    const unlike = await failure("join", { on: [{ left: "id", right: "city" }] }, inputs)
    assert.include(unlike.message, "never equal")
    const strange = await open(given("join-strange.csv", "p,q\n1,2\n"))
    const unshared = await failure("join", {}, { left: inputs.left, right: strange })
    assert.include(unshared.message, "share no column name")
    assert.include((await failure("join", {}, { left: inputs.left })).message, "slot right")
  })

  it("rejects a second file that has changed", async () => {
    const file = given("join-changing.csv", "customer,n\nann,1\n")
    const table = await call(
      "join",
      { on: ["customer"] },
      { left: await orders(), right: await open(file) },
    )
    writeFileSync(file, "customer,n\nann,1\nbob,2\n")
    const error = await failure("top_n", {}, { table })
    assert.include(error.message, "has changed")
  })

  it("rejects a forged second table", async () => {
    const table = (await joined({ on: ["customer"] })) as unknown as {
      ops: Array<{ beside: { source: JsonObject } }>
    }
    const forged = structuredClone(table)
    forged.ops[0]!.beside.source = { ...forged.ops[0]!.beside.source, path: "/etc/passwd" }
    const error = await failure("top_n", {}, { table: forged as never })
    assert.include(error.message, "outside the folders that this run may read")
  })
})
