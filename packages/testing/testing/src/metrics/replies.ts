/** How far replies that were to be JSON had to go, over all tests. */
import type { ReplyCounts } from "@planloom/core/internal"
import type { TestFileReport } from "../workflow/TestReport.ts"
import { rate } from "./figures.ts"

export interface ReplyMetrics extends ReplyCounts {
  /** Share that was usable without asking the model again; null without any. */
  readonly parse_success_rate: number | null
}

export const replyMetrics = (reports: ReadonlyArray<TestFileReport>): ReplyMetrics => {
  const sum = { direct: 0, salvaged: 0, repaired: 0, failed: 0 }
  for (const { result } of reports.flatMap(({ tests }) => tests)) {
    for (const rung of Object.keys(sum) as ReadonlyArray<keyof ReplyCounts>) {
      sum[rung] += result?.replies?.[rung] ?? 0
    }
  }
  const all = sum.direct + sum.salvaged + sum.repaired + sum.failed
  return {
    ...sum,
    parse_success_rate: rate(sum.direct + sum.salvaged, all),
  }
}
