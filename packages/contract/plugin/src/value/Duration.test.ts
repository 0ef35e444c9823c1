/** Durations: what is one, in milliseconds, and back. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { durationPattern, formatDuration, parseDuration } from "./Duration.ts"

it.each([
  ["500ms", 500],
  ["30s", 30_000],
  ["5m", 300_000],
  ["1h30m", 5_400_000],
  ["1h1m1s1ms", 3_661_001],
  ["3d", 259_200_000],
  ["1d12h", 129_600_000],
  ["0s", 0],
  ["8w", 4_838_400_000],
  ["1w2d", 777_600_000],
  ["1.5h", 5_400_000],
  ["0.5s", 500],
  ["1.2036s", 1204],
])("%s parses as %d ms", (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds)
})

it.each([
  "",
  "5",
  "s",
  "5 s",
  "-5s",
  "1.5",
  "1.5h30m",
  "1h1.5m",
  ".5h",
  "1.h",
  "5s5m",
  "5s5s",
  "PT5S",
  "1h1d",
  "99999999999999999h",
])("%j does not parse as a duration", (text) => {
  expect(parseDuration(text)).toBeUndefined()
})

it("a formatted duration parses as the same milliseconds", () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000_000 }), (milliseconds) => {
      expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds)
    }),
  )
})

it.each(["", "ms", "1h30m", "1.5h", "1h1.5m"])(
  "the pattern accepts %j exactly if it parses",
  (text) => {
    expect(new RegExp(durationPattern).test(text)).toBe(parseDuration(text) !== undefined)
  },
)
