/** How many cases a property is tried with: a tenth of the long run's (`pnpm prove`) in every test run, or less. */

const factor = Number(process.env["PLANLOOM_CASES"] ?? 1)

/** Times of this property: `count` in a test run. The long run has `longer` times more of a property whose cases are costly. */
export const cases = (count: number, longer = 1): number =>
  factor === 1 ? count : count * factor * longer
