/** How far replies had to go, for a person at a terminal. */
import type { ReplyMetrics } from "../metrics/replies.ts"

/** One line, ends with a line break; empty when no model was asked for JSON. */
export const repliesText = ({
  direct,
  failed,
  parse_success_rate: rate,
  repaired,
  salvaged,
}: ReplyMetrics): string =>
  rate === null
    ? ""
    : `  ${"replies usable at once".padEnd(27)}${`${Number((rate * 100).toFixed(2))} %`.padStart(8)}  ${direct} as they were, ${salvaged} fixed, ${repaired} asked again, ${failed} failed
`
