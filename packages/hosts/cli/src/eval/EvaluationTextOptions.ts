/** Options for formatting evaluation reports for a terminal. */
import type { EvaluationBaselines } from "@planloom/testing"
import type { Style } from "../terminal/Style.ts"

export interface EvaluationTextOptions {
  readonly style: Style
  readonly width: number
  readonly baselines: EvaluationBaselines | undefined
}
