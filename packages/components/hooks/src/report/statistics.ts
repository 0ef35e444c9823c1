/** Intervals and tests that compare the variants of an experiment, at a confidence of 95 %. */

/** Of the normal distribution: 97.5 % lie below. */
const Z = 1.959963984540054

export interface Interval {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** The rate of `hits` in `count`, with Wilson's score interval (Wilson 1927). */
export const wilson = (hits: number, count: number): Interval => {
  const rate = hits / count
  const center = (rate + Z ** 2 / (2 * count)) / (1 + Z ** 2 / count)
  const half =
    (Z / (1 + Z ** 2 / count)) * Math.sqrt((rate * (1 - rate)) / count + Z ** 2 / (4 * count ** 2))
  return { value: rate, low: Math.max(0, center - half), high: Math.min(1, center + half) }
}

/** The difference of two rates, by Newcombe's hybrid score interval (Newcombe 1998, method 10). */
export const newcombe = (one: Interval, control: Interval): Interval => {
  const value = one.value - control.value
  return {
    value,
    low: value - Math.hypot(one.value - one.low, control.high - control.value),
    high: value + Math.hypot(one.high - one.value, control.value - control.low),
  }
}

export interface Sample {
  readonly count: number
  readonly mean: number
  /** Of the population, estimated: divided by `count - 1`. */
  readonly variance: number
}

export const sampleOf = (values: ReadonlyArray<number>): Sample => {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { count, mean, variance: squares / (count - 1) }
}

/** The mean of a sample of at least two, with Student's interval. */
export const meanInterval = ({ count, mean, variance }: Sample): Interval =>
  around(mean, studentQuantile(count - 1) * Math.sqrt(variance / count))

/** The difference of two means whose variances may differ (Welch 1947). */
export const welch = (one: Sample, control: Sample): Interval => {
  const a = one.variance / one.count
  const b = control.variance / control.count
  const value = one.mean - control.mean
  if (a + b === 0) return around(value, 0)
  const degrees = (a + b) ** 2 / (a ** 2 / (one.count - 1) + b ** 2 / (control.count - 1))
  return around(value, studentQuantile(degrees) * Math.sqrt(a + b))
}

const around = (value: number, half: number): Interval => ({
  value,
  low: value - half,
  high: value + half,
})

/** 97.5 % of Student's distribution lie below: its distribution function, inverted by bisection. */
const studentQuantile = (degrees: number): number => {
  let low = 0
  let high = 1000
  while (high - low > 1e-9 * high) {
    const middle = (low + high) / 2
    // The tail on both sides.
    const tail = incompleteBeta(degrees / 2, 0.5, degrees / (degrees + middle ** 2))
    if (tail > 0.05) low = middle
    else high = middle
  }
  return high
}

/** Whether units fall to variants as expected: Pearson's chi-square test. */
export const chiSquareTest = (
  counts: ReadonlyArray<number>,
  shares: ReadonlyArray<number>,
): { readonly chiSquare: number; readonly p: number } => {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const weight = shares.reduce((sum, share) => sum + share, 0)
  const chiSquare = counts.reduce((sum, count, index) => {
    const expected = (total * shares[index]!) / weight
    return sum + (count - expected) ** 2 / expected
  }, 0)
  return { chiSquare, p: upperGamma((counts.length - 1) / 2, chiSquare / 2) }
}

/** The regularized upper incomplete gamma function Q(a, x): a series below `a + 1`, a continued fraction above. */
const upperGamma = (a: number, x: number): number => {
  if (x <= 0) return 1
  const scale = Math.exp(-x + a * Math.log(x) - logGamma(a))
  if (x < a + 1) {
    let term = 1 / a
    let sum = term
    for (let n = 1; Math.abs(term) > sum * 1e-15; n++) {
      term *= x / (a + n)
      sum += term
    }
    return 1 - sum * scale
  }
  return scale * fraction((n) => [x + 2 * n + 1 - a, n === 0 ? 1 : -n * (n - a)])
}

/** The regularized incomplete beta function (DLMF 8.17.22). */
const incompleteBeta = (a: number, b: number, x: number): number => {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x)
  const scale = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x),
  )
  const term = (n: number): number => {
    if (n === 0) return 1
    const m = Math.floor(n / 2)
    return n % 2 === 0
      ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
      : -((a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
  }
  return (scale / a) * fraction((n) => [1, term(n)])
}

/** A continued fraction of (denominator, numerator) pairs, by Lentz's method. */
const fraction = (at: (n: number) => readonly [denominator: number, numerator: number]): number => {
  const tiny = 1e-300
  let c = tiny
  let d = 0
  let value = tiny
  for (let n = 0; n < 10_000; n++) {
    const [denominator, numerator] = at(n)
    d = 1 / (denominator + numerator * d || tiny)
    c = denominator + numerator / c || tiny
    value *= c * d
    if (Math.abs(c * d - 1) < 1e-15) break
  }
  return value
}

/** The logarithm of the gamma function, by Lanczos' approximation with g = 7. */
const logGamma = (x: number): number => {
  const sum = LANCZOS.reduce(
    (total, one, index) => total + one / (x + index),
    0.999_999_999_999_809_93,
  )
  const t = x + 6.5
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

const LANCZOS = [
  676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_13, -176.615_029_162_140_6,
  12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6,
  1.505_632_735_149_311_6e-7,
]
