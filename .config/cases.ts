/** How many cases a property is tried with, and which: few in every test run, a sample in `pnpm prove`, all in `pnpm prove --all`. */

/** Share of all cases; without it a test run. */
const share = Number(process.env["PLANLOOM_CASES"] ?? 0)

/** Times of this property: `count` in a test run. All are ten times that, and `longer` times more of a property whose cases are costly. */
export const cases = (count: number, longer = 1): number =>
  Math.max(count, Math.round(count * 10 * longer * share))

/** The same in each test run; a long run has its own. */
export const seed = Number(process.env["PLANLOOM_SEED"] ?? 1)

/** Further apart than a property has numbered cases. */
const SPAN = 10_000_019

/** The seed of a property's numbered case: its number in a test run, another one with each seed of a long run. */
export const seedOf = (number: number): number => number + (seed - 1) * SPAN
