/** What is counted of the plans in runs; sums of tallies are tallies. */

export interface PlanningTally {
  /** Requirements of the checked plans, and those a step covers. */
  readonly requirements: number
  readonly covered: number
  /** Requirements that tests list by hand for the checked plans, and those a step covers. */
  readonly expected: number
  readonly met: number
  /** Steps of the checked plans, and those that no requirement asks for. */
  readonly steps: number
  readonly unjustified: number
  /** Different tools the plans use, and those that narrowing had not offered. */
  readonly tools: number
  readonly missed: number
  /** Steps that were executed, and those whose call was repaired first. */
  readonly executed: number
  readonly repaired: number
}

export const noTally: PlanningTally = {
  requirements: 0,
  covered: 0,
  expected: 0,
  met: 0,
  steps: 0,
  unjustified: 0,
  tools: 0,
  missed: 0,
  executed: 0,
  repaired: 0,
}

export const sumTallies = (tallies: Iterable<PlanningTally>): PlanningTally => {
  const sum: { -readonly [count in keyof PlanningTally]: number } = { ...noTally }
  for (const tally of tallies) {
    for (const count of Object.keys(sum) as ReadonlyArray<keyof PlanningTally>) {
      sum[count] += tally[count]
    }
  }
  return sum
}
