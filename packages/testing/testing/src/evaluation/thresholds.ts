/** Thresholds of a stage's confidence over runs: how often each would ask, and how many of its answers would be wrong. Pure. */
import { rounded, wilson } from "./statistics.ts"

/** A run, by the confidence with which its stage first decided between a question and an answer. */
export interface ThresholdRun {
  /** 0 to 1. */
  readonly confidence: number
  /** It asked in the record. */
  readonly asked: boolean
  /** It asks whatever the confidence is: nothing was planned, or something was not understood. */
  readonly alwaysAsks: boolean
  /** Whether its answer was right, or would have been; undefined if nothing says so. */
  readonly right: boolean | undefined
}

export interface ThresholdRow {
  readonly threshold: number
  readonly asked: number
  readonly asked_rate: number
  /** Runs that answer and of which is known whether that is right. */
  readonly judged: number
  readonly wrong: number
  /** Share of the judged runs, with its 95 % interval (Wilson's); null without any. */
  readonly wrong_rate: number | null
  readonly wrong_low: number
  readonly wrong_high: number
  /** Runs that would answer here and asked in the record, so that their answer is not known. */
  readonly unseen: number
}

const STEPS = 20

/** Each twentieth from 0 to 1, and thresholds of the record; in order. */
export const thresholdRows = (
  runs: ReadonlyArray<ThresholdRun>,
  recorded: ReadonlyArray<number>,
): ReadonlyArray<ThresholdRow> => {
  const steps = Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS)
  return [...new Set([...steps, ...recorded])]
    .toSorted((a, b) => a - b)
    .map((threshold) => rowOf(runs, threshold))
}

const rowOf = (runs: ReadonlyArray<ThresholdRun>, threshold: number): ThresholdRow => {
  const answers = runs.filter((one) => !one.alwaysAsks && one.confidence >= threshold)
  const judged = answers.filter(({ right }) => right !== undefined)
  const wrong = judged.filter(({ right }) => right === false).length
  const [low, high] = wilson(judged.length === 0 ? 0 : wrong / judged.length, judged.length)
  const asked = runs.length - answers.length
  return {
    threshold,
    asked,
    asked_rate: runs.length === 0 ? 0 : rounded(asked / runs.length),
    judged: judged.length,
    wrong,
    wrong_rate: judged.length === 0 ? null : rounded(wrong / judged.length),
    wrong_low: rounded(low),
    wrong_high: rounded(high),
    unseen: answers.filter((one) => one.asked && one.right === undefined).length,
  }
}

/**
 * The lowest threshold, which asks least, of whose answers at most the share `maxWrong` is wrong at the upper end of the
 * interval. Thresholds at which runs would answer that asked in the record are left out: what they answer is not known.
 */
export const proposedThreshold = (
  rows: ReadonlyArray<ThresholdRow>,
  maxWrong: number,
): ThresholdRow | undefined =>
  rows.find(
    ({ judged, unseen, wrong_high }) => judged > 0 && unseen === 0 && wrong_high <= maxWrong,
  )

/** The fewest judged runs, none of them wrong, whose interval ends at `maxWrong`. */
export const leastRuns = (maxWrong: number): number => {
  let runs = 1
  while (wilson(0, runs)[1] > maxWrong) runs++
  return runs
}
