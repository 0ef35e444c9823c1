/** The tools on a database: what each promises, and what no order of calls may do. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { afterAll, assert, describe, it } from "vitest"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { toolSourceSuite } from "@planloom/testing"
import { converted, feeOf } from "../money.ts"
import { sourceOf } from "../source.ts"
import { ana, NOON_MS, service } from "./service.ts"

const folder = mkdtempSync(join(tmpdir(), "concierge-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = (expected: string) => (result: Json) =>
  assert.strictEqual((result as JsonObject)["text"], expected)

const seeded = service()
toolSourceSuite(
  { describe, it },
  sourceOf(() => seeded.database),
  [
    {
      name: "gives the rate",
      tool: "get_exchange_rate",
      params: { to_currency: "MXN", amount: 500 },
      check: text("1 USD is 17.45 MXN (2026-11-20). 500.00 USD is 8,725.00 MXN, before fees."),
    },
    {
      name: "makes a quote with the promotion",
      tool: "create_quote",
      params: { to_currency: "MXN", amount: 200 },
      check: (result) =>
        assert.deepInclude(result, {
          fee: "1.50 USD",
          total: "201.50 USD",
          receive: "3,490.00 MXN",
          promotion: "half_fee_mexico",
        }),
    },
    {
      name: "refuses an unknown quote",
      tool: "create_transfer",
      params: { quote: "Q-999", recipient: "R-1" },
      fails: "tool_error",
    },
    {
      name: "lists none",
      tool: "transfer_status",
      params: {},
      check: text("You have no transfers yet."),
    },
    {
      name: "lists recipients",
      tool: "list_recipients",
      params: {},
      check: text("Your recipients: Rosa Ortega (R-1, MXN), Mateo Ortega (R-2, GTQ)."),
    },
    {
      name: "saves a recipient",
      tool: "add_recipient",
      params: {
        name: "Juan Ortega",
        country: "MX",
        currency: "MXN",
        account: "012180007654321091",
      },
      check: text("Juan Ortega is saved as R-4 (account …1091)."),
    },
    { name: "lists promotions", tool: "list_promotions", params: { to_currency: "MXN" } },
    {
      name: "gives what is left",
      tool: "credit_status",
      params: {},
      check: text(
        "You can send 3,000.00 USD more this month (limit 3,000.00 USD). Your credit line has 650.00 USD left of 800.00 USD.",
      ),
    },
    {
      name: "files a request",
      tool: "request_limit_increase",
      params: { monthly_limit: 5000, reason: "surgery" },
    },
    { name: "opens a ticket", tool: "open_ticket", params: { topic: "payout", summary: "Late." } },
    { name: "calls a person", tool: "hand_over_to_person", params: { reason: "Fraud." } },
    {
      name: "sends what it shows",
      tool: "create_transfer",
      params: { quote: "Q-1", recipient: "Rosa Ortega" },
    },
  ],
  // A repeated transfer says so.
  { workspace: folder, user: ana, fickle: ["create_transfer"] },
)

describe("a transfer", () => {
  const quoted = () => {
    const world = service()
    assert.strictEqual(
      world.call("create_quote", { to_currency: "MXN", amount: 200 })["quote"],
      "Q-1",
    )
    const send = (recipient = "R-1", user: JsonObject = ana) =>
      world.call("create_transfer", { quote: "Q-1", recipient }, { user })
    return { ...world, send }
  }

  it("is made once, however often its quote is submitted", () => {
    const { send, transfers } = quoted()
    const first = send()
    assert.deepInclude(first, { transfer: "T-1", repeated: false, total: "201.50 USD" })
    assert.deepStrictEqual(send("rosa ortega"), { ...first, repeated: true })
    assert.strictEqual(transfers(), 1)
  })

  it("is made once by six programs that submit it at the same time", async () => {
    const file = join(folder, "shared.db")
    const world = service(file)
    world.call("create_quote", { to_currency: "MXN", amount: 200 })
    const outcomes = new Int32Array(new SharedArrayBuffer(8))
    const submit = (index: number) =>
      new Promise<void>((resolve, reject) => {
        const workerData = { file, key: `w${index}`, at: NOON_MS, outcomes }
        new Worker(new URL("submit.ts", import.meta.url), { workerData })
          .once("exit", () => resolve())
          .once("error", reject)
      })
    await Promise.all([1, 2, 3, 4, 5, 6].map(submit))
    assert.deepStrictEqual([...outcomes], [1, 5])
    assert.strictEqual(world.transfers(), 1)
    world.database.close()
  })

  it("of a quote that has expired is refused", () => {
    const { later, send, transfers } = quoted()
    later(15 * 60_000)
    assert.deepStrictEqual(send(), { failed: "The quote has expired; ask for a new one." })
    assert.strictEqual(transfers(), 0)
  })

  it("to an unknown recipient, or to one of another customer, is refused", () => {
    const { send, transfers } = quoted()
    for (const recipient of ["R-99", "R-3", "Nobody", "Elena Ruiz"]) {
      assert.deepStrictEqual(send(recipient), { failed: "There is no such recipient." }, recipient)
    }
    assert.strictEqual(transfers(), 0)
  })

  it("of a quote of another customer is refused", () => {
    const { send } = quoted()
    assert.deepStrictEqual(send("R-3", { id: "sam" }), {
      failed: "There is no such quote; ask for a new one.",
    })
  })

  it("in another currency than the recipient's is refused", () => {
    const { send } = quoted()
    assert.deepStrictEqual(send("R-2"), {
      failed: "The quote is in MXN, and the recipient receives GTQ.",
    })
  })

  it("to a mistyped CLABE is not possible: its check digit is compared", () => {
    const { call } = quoted()
    for (const account of ["012180007654321098", "01218000765432109", "999999"]) {
      const saved = call("add_recipient", { name: "Eva", country: "MX", currency: "MXN", account })
      assert.include(saved["failed"], "is a CLABE of 18 digits", account)
    }
  })

  it("of a quote that has paid another recipient is refused", () => {
    const { call, send, transfers } = quoted()
    call("add_recipient", {
      name: "Juan",
      country: "MX",
      currency: "MXN",
      account: "012180007654321091",
    })
    send()
    assert.include(send("Juan")["failed"], "has paid another transfer")
    assert.strictEqual(transfers(), 1)
  })

  it("over the monthly limit is refused with what is left, and allowed a month later", () => {
    const { call, later, send, transfers } = quoted()
    send()
    const again = () => {
      const { quote } = call("create_quote", { to_currency: "MXN", amount: 2900 })
      return call("create_transfer", { quote: quote!, recipient: "R-1" })
    }
    assert.deepStrictEqual(again(), {
      failed: "The transfer is over the monthly limit; 2,800.00 USD are left.",
    })
    later(31 * 86_400_000)
    assert.strictEqual(again()["transfer"], "T-2")
    assert.strictEqual(transfers(), 2)
  })

  it("is on the way for two hours, and then paid out", () => {
    const { call, later, send } = quoted()
    send()
    const status = () => call("transfer_status", { transfer: "T-1" })["text"]
    assert.strictEqual(status(), "T-1, 3,490.00 MXN, Rosa Ortega: on the way.")
    later(2 * 3_600_000)
    assert.strictEqual(status(), "T-1, 3,490.00 MXN, Rosa Ortega: paid out.")
  })
})

describe("the tools", () => {
  const hostile = [
    "'; DROP TABLE recipients; --",
    `" OR ""="`,
    "R-1' OR '1'='1",
    "%",
    "\u0000R-1",
    "R-1; SELECT 1",
    "__proto__",
  ]

  it("take every text as data", () => {
    const { call, database, transfers } = service()
    call("create_quote", { to_currency: "MXN", amount: 10 })
    for (const given of hostile) {
      assert.deepStrictEqual(
        call("create_transfer", { quote: "Q-1", recipient: given }),
        { failed: "There is no such recipient." },
        given,
      )
      assert.property(call("create_transfer", { quote: given, recipient: "R-1" }), "failed")
      assert.property(call("transfer_status", { transfer: given }), "failed")
      assert.property(call("credit_status", {}, { user: { id: given } }), "failed")
      const { ticket } = call("open_ticket", { topic: given, summary: given })
      const id = Number(String(ticket).slice(2))
      const [row] = database.rows("SELECT topic, summary FROM tickets WHERE id = ?", id)
      assert.deepStrictEqual({ ...row }, { topic: given, summary: given })
    }
    assert.strictEqual(transfers(), 0)
    assert.strictEqual(database.rows("SELECT * FROM recipients").length, 3)
  })

  it("give a repeated call the first result", () => {
    const { call, database } = service()
    const twice = (tool: string, params: JsonObject) =>
      assert.deepStrictEqual(call(tool, params, { key: tool }), call(tool, params, { key: tool }))
    twice("create_quote", { to_currency: "COP", amount: 10 })
    twice("request_limit_increase", { monthly_limit: 9000, reason: "x" })
    twice("open_ticket", { topic: "a", summary: "b" })
    for (const table of ["quotes", "limit_requests", "tickets"]) {
      assert.strictEqual(database.rows(`SELECT * FROM ${table}`).length, 1, table)
    }
  })

  it("answer in the language of the user", () => {
    const { call } = service()
    const user = { id: "ana", language: "es" }
    assert.strictEqual(
      call("get_exchange_rate", { to_currency: "EUR" }, { user })["text"],
      "1 USD son 0.915 EUR (2026-11-20).",
    )
    assert.deepStrictEqual(call("transfer_status", { transfer: "T-1" }, { user }), {
      failed: "Ese envío no existe.",
    })
  })

  it("keep their data in the file", () => {
    const file = join(folder, "new", "kept.db")
    const first = service(file)
    first.call("create_quote", { to_currency: "MXN", amount: 10 })
    first.database.close()
    const second = service(file)
    assert.strictEqual(
      second.call("create_transfer", { quote: "Q-1", recipient: "R-1" })["transfer"],
      "T-1",
    )
    second.database.close()
  })

  it("refuse an amount of less than a cent", () => {
    const { call } = service()
    for (const amount of [0.001, 10.005]) {
      assert.deepStrictEqual(call("create_quote", { to_currency: "MXN", amount }), {
        failed: "An amount has at most two decimals.",
      })
    }
  })
})

describe("money", () => {
  it("is computed in whole cents", () => {
    assert.strictEqual(converted(1, 17_459_999), 17)
    assert.strictEqual(converted(100_000_000, 4_050_500_000), 405_050_000_000)
    assert.strictEqual(feeOf(10_000, 0), 199)
    assert.strictEqual(feeOf(100_001, 0), 1500)
    assert.strictEqual(feeOf(100_001, 50), 750)
  })
})
