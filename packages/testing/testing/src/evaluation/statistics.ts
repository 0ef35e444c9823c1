/** How sure a measured figure is: intervals, quantiles and an exact test. Pure. */

/** The 97.5 % quantile of the standard normal distribution: two sides of 95 %. */
const Z = 1.959963984540054

/**
 * The 95 % interval of a share (E. B. Wilson, "Probable inference, the law of succession, and statistical
 * inference", JASA 22 (1927) 209–212): it stays within 0 and 1 and is honest for few trials, unlike ±2 standard
 * errors. `trials` may be a fraction: see `effectiveTrials`. `[0, 1]` without trials.
 */
export const wilson = (share: number, trials: number): readonly [low: number, high: number] => {
  if (trials <= 0) return [0, 1]
  const square = Z * Z
  const middle = (share + square / (2 * trials)) / (1 + square / trials)
  const half =
    (Z / (1 + square / trials)) *
    Math.sqrt((share * (1 - share)) / trials + square / (4 * trials * trials))
  return [
    share === 0 ? 0 : Math.max(0, middle - half),
    share === 1 ? 1 : Math.min(1, middle + half),
  ]
}

/**
 * As how many independent runs those of several cases count. Runs of one case are alike, so ten of each of
 * five cases prove less than fifty cases. The runs are divided by the design effect: the variance of the share
 * between cases over that of independent runs (L. Kish, "Survey Sampling", 1965, 8.2; with Wilson's interval:
 * E. L. Korn and B. I. Graubard, Survey Methodology 24 (1998) 193–201). Never fewer than the cases, never more
 * than the runs.
 */
export const effectiveTrials = (
  cases: ReadonlyArray<{ readonly runs: number; readonly passed: number }>,
): number => {
  const runs = cases.reduce((sum, one) => sum + one.runs, 0)
  const passed = cases.reduce((sum, one) => sum + one.passed, 0)
  const share = runs === 0 ? 0 : passed / runs
  const independent = (share * (1 - share)) / runs
  if (cases.length < 2 || independent === 0) return cases.length
  const squares = cases.reduce((sum, one) => sum + (one.passed - one.runs * share) ** 2, 0)
  const between = (cases.length / (cases.length - 1)) * (squares / runs ** 2)
  return Math.min(runs, Math.max(cases.length, runs / (between / independent)))
}

/**
 * How likely `better` and `worse` are to differ at least as much when neither side is better: the exact two-sided
 * sign test (binomial with 1/2, the smaller tail twice, at most 1). With one run of each case this is McNemar's
 * test in its exact form (Q. McNemar, Psychometrika 12 (1947) 153–157). 1 without any difference.
 */
export const signTest = (better: number, worse: number): number => {
  const trials = better + worse
  const tail = Math.min(better, worse)
  // Powers and factorials as sums of logarithms, so that thousands of cases do not overflow.
  let term = -trials * Math.LN2
  let sum = Math.exp(term)
  for (let k = 1; k <= tail; k++) {
    term += Math.log((trials - k + 1) / k)
    sum += Math.exp(term)
  }
  return Math.min(1, 2 * sum)
}

/** Figures are reported with six digits behind the point. */
export const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

export interface Spread {
  readonly count: number
  readonly mean: number | null
  readonly p50: number | null
  readonly p95: number | null
  readonly min: number | null
  readonly max: number | null
}

/**
 * Quantiles between two values are interpolated linearly: definition 7 of R. J. Hyndman and Y. Fan, "Sample
 * quantiles in statistical packages", The American Statistician 50 (1996) 361–365. Null without values.
 */
export const quantile = (sorted: ReadonlyArray<number>, share: number): number | null => {
  if (sorted.length === 0) return null
  const at = (sorted.length - 1) * share
  const below = Math.floor(at)
  const low = sorted[below]!
  return low + (at - below) * ((sorted[below + 1] ?? low) - low)
}

/** The order of the values does not matter, down to the last digit. */
export const spreadOf = (values: ReadonlyArray<number>): Spread => {
  const sorted = values.toSorted((a, b) => a - b)
  const figure = (value: number | null | undefined) =>
    value === null || value === undefined ? null : rounded(value)
  return {
    count: sorted.length,
    mean:
      sorted.length === 0
        ? null
        : figure(sorted.reduce((sum, value) => sum + value, 0) / sorted.length),
    p50: figure(quantile(sorted, 0.5)),
    p95: figure(quantile(sorted, 0.95)),
    min: figure(sorted[0]),
    max: figure(sorted.at(-1)),
  }
}
