/** Compares the variants of an experiment over what recorded runs observed. */
import type { Experiment } from "../experiments/Experiment.ts"
import {
  chiSquareTest,
  meanInterval,
  newcombe,
  sampleOf,
  welch,
  wilson,
  type Interval,
} from "./statistics.ts"

/** One run in which a unit of the experiment was exposed to its variant. */
export interface Exposure {
  /** Of the unit: the same in all of its runs. */
  readonly unit: string
  readonly variant: string
  /** Undefined for a run that has none. */
  readonly outcome?: boolean | number | undefined
}

export interface VariantReport {
  readonly variant: string
  /** Units that were exposed to it. */
  readonly units: number
  /** Units with an outcome. */
  readonly observed: number
  /** A rate or a mean over units, with a 95 % interval; absent if too few units have an outcome. */
  readonly outcome?: Interval
  /** From the control, with a 95 % interval. */
  readonly difference?: Interval
}

export interface ExperimentReport {
  readonly experiment: string
  /** `rate` for outcomes that are true or false, `mean` for numbers. */
  readonly kind: "rate" | "mean" | "none"
  readonly variants: ReadonlyArray<VariantReport>
  /** Units that were exposed to several variants: they count for none. */
  readonly moved: number
  /** Absent while a variant has too few units for a test. */
  readonly sampleRatio?: {
    readonly chiSquare: number
    readonly p: number
    /** The units do not fall to the variants as declared, so that no comparison can be trusted. */
    readonly isMismatch: boolean
  }
}

/** Below it, units do not fall to variants as declared; the limit that GrowthBook uses, too. */
const MISMATCH_P = 0.001

/** The fewest expected units of a variant for which the chi-square test holds. */
const MIN_EXPECTED_UNITS = 8

export const reportExperiment = (
  experiment: string,
  { variants }: Pick<Experiment, "variants">,
  exposures: ReadonlyArray<Exposure>,
): ExperimentReport => {
  const units = Map.groupBy(exposures, ({ unit }) => unit)
  const settled = [...units.values()].filter(
    (runs) => new Set(runs.map(({ variant }) => variant)).size === 1,
  )
  const isRate = exposures.some(({ outcome }) => typeof outcome === "boolean")
  const kind = isRate
    ? "rate"
    : exposures.some(({ outcome }) => outcome !== undefined)
      ? "mean"
      : "none"
  const arms = Object.keys(variants).map((variant) => {
    const own = settled.filter(([first]) => first!.variant === variant)
    const outcomes = own.flatMap((runs) => unitOutcome(runs) ?? [])
    return { variant, units: own.length, outcomes }
  })
  const [control] = arms
  const sampleRatio = sampleRatioOf(arms, Object.values(variants))
  return {
    experiment,
    kind,
    variants: arms.map(({ outcomes, units: count, variant }) => ({
      variant,
      units: count,
      observed: outcomes.length,
      ...compared(kind, outcomes, variant === control!.variant ? undefined : control!.outcomes),
    })),
    moved: units.size - settled.length,
    ...(sampleRatio && { sampleRatio }),
  }
}

/** A unit counts once: true if any of its runs is true, or the mean of its numbers. */
const unitOutcome = (runs: ReadonlyArray<Exposure>): number | undefined => {
  const outcomes = runs.flatMap(({ outcome }) => outcome ?? [])
  if (outcomes.length === 0) return undefined
  if (outcomes.some((outcome) => typeof outcome === "boolean")) {
    return outcomes.includes(true) ? 1 : 0
  }
  return (outcomes as ReadonlyArray<number>).reduce((sum, one) => sum + one, 0) / outcomes.length
}

const compared = (
  kind: ExperimentReport["kind"],
  outcomes: ReadonlyArray<number>,
  control: ReadonlyArray<number> | undefined,
): Pick<VariantReport, "outcome" | "difference"> => {
  const enough = kind === "rate" ? 1 : 2
  if (kind === "none" || outcomes.length < enough) return {}
  const has = control !== undefined && control.length >= enough
  if (kind === "rate") {
    const outcome = rateOf(outcomes)
    return { outcome, ...(has && { difference: newcombe(outcome, rateOf(control)) }) }
  }
  const sample = sampleOf(outcomes)
  return {
    outcome: meanInterval(sample),
    ...(has && { difference: welch(sample, sampleOf(control)) }),
  }
}

const rateOf = (outcomes: ReadonlyArray<number>): Interval =>
  wilson(outcomes.filter((outcome) => outcome === 1).length, outcomes.length)

const sampleRatioOf = (
  arms: ReadonlyArray<{ readonly units: number }>,
  shares: ReadonlyArray<number>,
): ExperimentReport["sampleRatio"] => {
  // No unit is expected in a variant with the share 0.
  const tested = arms.flatMap(({ units }, index) =>
    shares[index] === 0 ? [] : [{ units, share: shares[index]! }],
  )
  const total = tested.reduce((sum, { units }) => sum + units, 0)
  const isEnough = tested.every(({ share }) => (total * share) / 100 >= MIN_EXPECTED_UNITS)
  if (tested.length < 2 || !isEnough) return undefined
  const test = chiSquareTest(
    tested.map(({ units }) => units),
    tested.map(({ share }) => share),
  )
  return { ...test, isMismatch: test.p < MISMATCH_P }
}
