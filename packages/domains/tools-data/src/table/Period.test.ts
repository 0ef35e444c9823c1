import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { grains } from "@planloom/tables"
import { periodAt, readPeriod, shift, wholePeriods } from "./Period.ts"

describe("periods", () => {
  it.each([
    ["2023", "2023-01-01 00:00:00", "2024-01-01 00:00:00"],
    ["2023-Q4", "2023-10-01 00:00:00", "2024-01-01 00:00:00"],
    ["2024-02", "2024-02-01 00:00:00", "2024-03-01 00:00:00"],
    ["2024-02-29", "2024-02-29 00:00:00", "2024-03-01 00:00:00"],
    ["2024-02-29T08:30", "2024-02-29 08:30:00", "2024-02-29 08:30:01"],
  ])("reads %s", (written, start, end) => {
    assert.deepStrictEqual(readPeriod(written), [start, end])
  })

  it.each(["", "soon", "2023-13", "2023-02-30", "2023-1", "23", "2023-Q5", "2023-05-17T25:00"])(
    "refuses %j",
    (written) => {
      assert.throws(() => readPeriod(written))
    },
  )

  it("lie side by side without gaps and hold their moment", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1900-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }),
        fc.constantFrom(...grains),
        (date, grain) => {
          const moment = date.toISOString().slice(0, 19)
          const period = periodAt(moment, grain)
          const written = moment.replace("T", " ")
          assert.isTrue(period[0] <= written && written < period[1])
          assert.strictEqual(shift(period, grain, 1)[0], period[1])
          assert.deepStrictEqual(shift(shift(period, grain, 1), grain, -1), period)
        },
      ),
    )
  })

  it("are whole when the data begins and ends with them", () => {
    assert.strictEqual(wholePeriods("month", "2024-01-01", "2024-03-31"), undefined)
    assert.deepStrictEqual(wholePeriods("month", "2024-01-02", "2024-03-30"), {
      from: "2024-02-01",
      to: "2024-03-01",
      cut: ["2024-01-01", "2024-03-01"],
    })
    assert.strictEqual(wholePeriods("year", "2024-01-02", "2024-03-30"), undefined)
  })
})
