/** How well confidence matches truth, for a person at a terminal. */
import { calibrationMetrics, type Prediction } from "../metrics/calibration.ts"
import { plural } from "../double/Script.ts"

const percent = (share: number): string => `${Number((share * 100).toFixed(2))} %`

/** The two scores, and a line for each tenth of confidence with runs; ends with a line break. Empty without runs. */
export const calibrationText = (predictions: ReadonlyArray<Prediction>): string => {
  const { bins, brier_score, count, expected_calibration_error } = calibrationMetrics(predictions)
  if (count === 0) return ""
  const right = predictions.filter((one) => one.right).length
  return [
    `${"calibration error".padEnd(27)}${String(expected_calibration_error).padStart(8)}  ${right} of ${plural(count, "answer", "answers")} right by their expectations`,
    `${"Brier score".padEnd(27)}${String(brier_score).padStart(8)}`,
    ...bins.map((bin) => {
      const range = `  confidence ${bin.from}–${bin.to}`
      return `${range.padEnd(27)}${percent(bin.right).padStart(8)}  right of ${bin.count}, mean confidence ${bin.confidence}`
    }),
  ]
    .map((line) => `  ${line}\n`)
    .join("")
}
