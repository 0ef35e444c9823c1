/** What an approval of a transfer shows. */
import { assert, describe, it } from "vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import { ana, service } from "./service.ts"

describe("the preview of a transfer", () => {
  it("gives what the transfer does, and changes nothing", () => {
    const { call, preview, transfers } = service()
    call("create_quote", { to_currency: "MXN", amount: 200 })
    const params = { quote: "Q-1", recipient: "rosa ortega" }
    const fields = {
      amount: "200.00 USD",
      fee: "1.50 USD",
      total: "201.50 USD",
      receive: "3,490.00 MXN",
      recipient: "Rosa Ortega",
      account: "…7899",
    }
    assert.deepStrictEqual(preview(params), fields)
    assert.strictEqual(transfers(), 0)
    call("create_transfer", params)
    // A call that is repeated after a crash is still the approved one.
    assert.deepStrictEqual(preview(params), fields)
  })

  it("fails as the transfer would", () => {
    const { call, later, preview } = service()
    call("create_quote", { to_currency: "MXN", amount: 200 })
    call("create_quote", { to_currency: "MXN", amount: 200 })
    call("create_transfer", { quote: "Q-2", recipient: "R-1" })
    call("add_recipient", {
      name: "Juan",
      country: "MX",
      currency: "MXN",
      account: "012180007654321091",
    })
    const wrong: ReadonlyArray<readonly [quote: string, recipient: string, user?: JsonObject]> = [
      ["Q-9", "R-1"],
      ["Q-1", "R-3"],
      ["Q-1", "R-2"],
      ["Q-2", "Juan"],
      ["Q-1", "R-3", { id: "sam" }],
      ["Q-1", "R-1", { id: "eve" }],
    ]
    const fails = (quote: string, recipient: string, user: JsonObject = ana) => {
      const given = { quote, recipient }
      const failure = preview(given, { user })
      assert.property(failure, "failed", JSON.stringify(given))
      assert.deepStrictEqual(call("create_transfer", given, { user }), failure)
    }
    for (const given of wrong) fails(...given)
    later(15 * 60_000)
    fails("Q-1", "R-1")
  })
})
