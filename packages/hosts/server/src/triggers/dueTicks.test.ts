/** Due times of schedules: time zones with their changes, and times that were missed. */
import { assert, describe, it } from "vitest"
import { dueTicks, nextTick, type Times } from "./dueTicks.ts"

const times = (cron: string, zone = "UTC", missed: Times["missed"] = "all"): Times => ({
  cron,
  zone,
  missed,
})
const at = (text: string) => Date.parse(text)
const due = (schedule: Times, last: string, now: string) =>
  dueTicks(schedule, at(last), at(now)).map((tick) => new Date(tick).toISOString())

describe("due times of a schedule", () => {
  it("are local times of its zone, before and after the clocks change", () => {
    const nine = times("0 9 * * *", "Europe/Berlin")
    assert.deepStrictEqual(due(nine, "2026-03-28T00:00:00Z", "2026-03-29T23:00:00Z"), [
      "2026-03-28T08:00:00.000Z",
      "2026-03-29T07:00:00.000Z",
    ])
    assert.deepStrictEqual(due(nine, "2026-10-24T00:00:00Z", "2026-10-25T23:00:00Z"), [
      "2026-10-24T07:00:00.000Z",
      "2026-10-25T08:00:00.000Z",
    ])
  })

  it("include a time once that the clocks skip in spring or repeat in autumn", () => {
    const half = times("30 2 * * *", "Europe/Berlin")
    assert.deepStrictEqual(due(half, "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z"), [
      "2026-03-29T01:30:00.000Z",
    ])
    assert.deepStrictEqual(due(half, "2026-10-24T12:00:00Z", "2026-10-25T12:00:00Z"), [
      "2026-10-25T00:30:00.000Z",
    ])
  })

  it("after downtime are the last one, none or all, as declared", () => {
    const span = ["2026-01-01T00:00:00Z", "2026-01-03T12:00:00Z"] as const
    assert.deepStrictEqual(due(times("0 0 * * *", "UTC", "once"), ...span), [
      "2026-01-03T00:00:00.000Z",
    ])
    assert.deepStrictEqual(due(times("0 0 * * *", "UTC", "skip"), ...span), [])
    assert.deepStrictEqual(due(times("0 0 * * *", "UTC", "all"), ...span), [
      "2026-01-02T00:00:00.000Z",
      "2026-01-03T00:00:00.000Z",
    ])
  })

  it.each(["once", "skip", "all"] as const)(
    "with missed: %s, include one that is due now",
    (missed) => {
      const noon = times("0 12 * * *", "UTC", missed)
      for (const now of [
        "2026-01-01T12:00:00Z",
        "2026-01-01T12:00:00.250Z",
        "2026-01-01T12:00:59Z",
      ]) {
        assert.deepStrictEqual(due(noon, "2026-01-01T11:00:00Z", now), ["2026-01-01T12:00:00.000Z"])
      }
      assert.deepStrictEqual(due(noon, "2026-01-01T12:00:00Z", "2026-01-01T12:00:00.250Z"), [])
    },
  )

  it("are at most a hundred at a time, the oldest first", () => {
    const found = due(times("* * * * *"), "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z")
    assert.strictEqual(found.length, 100)
    assert.strictEqual(found[0], "2026-01-01T00:01:00.000Z")
  })

  it("come after the given time", () => {
    const next = nextTick(times("*/5 * * * *"), at("2026-01-01T00:05:00Z"))
    assert.strictEqual(new Date(next).toISOString(), "2026-01-01T00:10:00.000Z")
  })
})
