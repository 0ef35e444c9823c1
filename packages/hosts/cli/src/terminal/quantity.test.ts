import { expect, it } from "vitest"
import { count, duration, money, plural } from "./quantity.ts"

it("formats durations with units", () => {
  expect([0, 999, 1000, 59_940, 59_960, 125_000, 3_720_000].map(duration)).toEqual([
    "0 ms",
    "999 ms",
    "1.0 s",
    "59.9 s",
    "1 m 00 s",
    "2 m 05 s",
    "1 h 02 m",
  ])
})

it("shortens large counts and shows small sums with enough decimals", () => {
  expect([0, 940, 12_345, 999_960].map(count)).toEqual(["0", "940", "12.3k", "1.00M"])
  expect([0, 0.0012, 0.1 + 0.2, 1.5].map(money)).toEqual(["$0", "$0.0012", "$0.30", "$1.50"])
  expect([7.600000000000002e-6, 0.000012, 0.099996].map(money)).toEqual([
    "$0.0000076",
    "$0.000012",
    "$0.1000",
  ])
  expect([plural(1, "retry", "retries"), plural(2, "retry", "retries")]).toEqual([
    "1 retry",
    "2 retries",
  ])
})
