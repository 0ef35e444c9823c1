/** Thresholds over runs: what each would ask and get wrong, and which one is proposed. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { cases } from "../../../../../.config/cases.ts"
import { leastRuns, proposedThreshold, thresholdRows, type ThresholdRun } from "./thresholds.ts"

const run = (confidence: number, right?: boolean, more: Partial<ThresholdRun> = {}) =>
  ({ confidence, right, asked: false, alwaysAsks: false, ...more }) satisfies ThresholdRun

const times = (count: number, one: ThresholdRun) => Array.from({ length: count }, () => one)

const at = (runs: ReadonlyArray<ThresholdRun>, threshold: number) =>
  thresholdRows(runs, []).find((row) => row.threshold === threshold)

it("counts questions over all runs, and wrong answers over those that are known", () => {
  const runs = [
    run(0.9, true),
    run(0.9),
    run(0.6, false),
    run(0.3, undefined, { asked: true }),
    run(1, undefined, { asked: true, alwaysAsks: true }),
  ]
  expect(at(runs, 0.6)).toMatchObject({ asked: 2, asked_rate: 0.4, judged: 2, wrong: 1, unseen: 0 })
  // Wilson's interval of 1 in 2.
  expect(at(runs, 0.6)).toMatchObject({
    wrong_rate: 0.5,
    wrong_low: 0.094531,
    wrong_high: 0.905469,
  })
  expect(at(runs, 0.65)).toMatchObject({ asked: 3, judged: 1, wrong: 0 })
  expect(at(runs, 0.3)).toMatchObject({ asked: 1, unseen: 1 })
  expect(at(runs, 1)).toMatchObject({ asked: 5, judged: 0, wrong_rate: null, wrong_high: 1 })
})

it("has a row for each recorded threshold, in order", () => {
  const rows = thresholdRows([run(0.9, true)], [0.72, 0.7])
  expect(rows).toHaveLength(22)
  expect(rows.map(({ threshold }) => threshold)).toEqual(
    rows.map(({ threshold }) => threshold).toSorted((a, b) => a - b),
  )
})

it("proposes the lowest threshold whose interval ends below the target", () => {
  const runs = [...times(73, run(0.9, true)), ...times(10, run(0.5, false))]
  expect(proposedThreshold(thresholdRows(runs, []), 0.05)?.threshold).toBe(0.55)
  expect(proposedThreshold(thresholdRows(runs, []), 0.3)?.threshold).toBe(0)
})

it("proposes none with one run too few, and none where runs would answer that asked", () => {
  expect(proposedThreshold(thresholdRows(times(72, run(0.9, true)), []), 0.05)).toBeUndefined()
  const unseen = [...times(200, run(0.9, true)), run(0.4, undefined, { asked: true })]
  expect(proposedThreshold(thresholdRows(unseen, []), 0.05)?.threshold).toBe(0.45)
  expect(proposedThreshold(thresholdRows([], []), 0.05)).toBeUndefined()
})

it("needs the fewest runs with which the interval reaches the target", () => {
  expect([0.05, 0.1, 0.5].map(leastRuns)).toEqual([73, 35, 4])
})

const someRun = fc.record({
  confidence: fc.integer({ min: 0, max: 100 }).map((n) => n / 100),
  asked: fc.boolean(),
  alwaysAsks: fc.boolean(),
  right: fc.option(fc.boolean(), { nil: undefined }),
})

it("asks more with each threshold, and keeps what it proposes within the target", () => {
  fc.assert(
    fc.property(
      fc.array(someRun, { maxLength: 60 }),
      fc.integer({ min: 1, max: 99 }).map((n) => n / 100),
      (runs, most) => {
        const rows = thresholdRows(runs, [])
        for (const [index, row] of rows.entries()) {
          expect(row.asked).toBeGreaterThanOrEqual(rows[index - 1]?.asked ?? 0)
          expect(row.wrong).toBeLessThanOrEqual(row.judged)
          expect(row.asked + row.judged).toBeLessThanOrEqual(runs.length)
        }
        const proposed = proposedThreshold(rows, most)
        const judged = runs.filter(({ right }) => right !== undefined).length
        if (judged < leastRuns(most)) expect(proposed).toBeUndefined()
        if (proposed !== undefined) {
          expect(proposed.wrong / proposed.judged).toBeLessThanOrEqual(most)
          expect(proposed.unseen).toBe(0)
        }
      },
    ),
    { numRuns: cases(200) },
  )
})
