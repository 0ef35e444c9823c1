/** Durations. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { formatDuration, parseAge, parseDuration } from "./Duration.ts"

it.each([
  ["500ms", 500],
  ["30s", 30_000],
  ["5m", 300_000],
  ["1h30m", 5_400_000],
  ["1h1m1s1ms", 3_661_001],
  ["3d", 259_200_000],
  ["1d12h", 129_600_000],
  ["0s", 0],
])("%s is %d ms", (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds)
})

it.each([
  "",
  "5",
  "s",
  "5 s",
  "-5s",
  "1.5h",
  "5s5m",
  "5s5s",
  "PT5S",
  "5w",
  "1h1d",
  "99999999999999999h",
])("%j is no duration", (text) => {
  expect(parseDuration(text)).toBeUndefined()
})

it("writes what it reads", () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000_000 }), (milliseconds) => {
      expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds)
    }),
  )
})

it.each([
  ["90m", 5_400_000],
  ["12h", 43_200_000],
  ["30d", 2_592_000_000],
  ["8w", 4_838_400_000],
  ["1h30m", undefined],
  ["30s", undefined],
  ["d", undefined],
])("as an age %j is %s ms", (text, milliseconds) => {
  expect(parseAge(text)).toBe(milliseconds)
})
