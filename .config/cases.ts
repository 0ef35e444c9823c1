/** How many cases a property is tried with: a tenth of the long run's (`pnpm prove`) in every test run. */

const factor = Number(process.env["PLANLOOM_CASES"] ?? 1)

/** Times of this property; `count` in a test run. */
export const cases = (count: number): number => count * factor
