/** A report on an experiment as text. */
import type { ExperimentReport, Interval } from "@planloom/hooks/report"
import type { Style } from "../terminal/Style.ts"
import { table } from "../terminal/table.ts"

export const reportText = (
  report: ExperimentReport & { readonly unit: string },
  style: Style,
  width: number,
): string => {
  const { experiment, kind, moved, sampleRatio, unit, variants } = report
  const format = kind === "rate" ? percentage : number
  const rows = variants.map(({ difference, observed, outcome, units, variant }) => [
    variant,
    String(units),
    String(observed),
    outcome === undefined ? "" : format(outcome.value),
    outcome === undefined ? "" : rangeOf(outcome, format),
    difference === undefined
      ? ""
      : `${signed(difference.value, format)} (${rangeOf(difference, format)})`,
  ])
  const isMismatch = sampleRatio?.isMismatch === true
  return [
    `${style.name(experiment)} by ${unit}`,
    ...table(
      [
        { head: "variant", align: "left" },
        { head: "units", align: "right" },
        { head: "observed", align: "right" },
        { head: kind === "rate" ? "rate" : "mean", align: "right" },
        { head: "95 % interval", align: "left" },
        { head: "difference to the control", align: "left" },
      ],
      rows,
      width,
      style.dim,
    ),
    ...(moved === 0 ? [] : [`${moved} units had several variants and count for none`]),
    sampleRatio === undefined
      ? style.dim("sample ratio: too few units to check")
      : isMismatch
        ? style.bad(
            `sample ratio mismatch (p = ${sampleRatio.p.toPrecision(2)}): the units do not fall to the variants as declared, so do not trust the comparison`,
          )
        : `sample ratio as declared (p = ${sampleRatio.p.toPrecision(2)})`,
  ].join("\n")
}

const percentage = (value: number): string => `${(value * 100).toFixed(1)} %`
const number = (value: number): string => value.toPrecision(4)
const signed = (value: number, format: (value: number) => string): string =>
  `${value < 0 ? "" : "+"}${format(value)}`
const rangeOf = ({ high, low }: Interval, format: (value: number) => string): string =>
  `${format(low)} … ${format(high)}`
