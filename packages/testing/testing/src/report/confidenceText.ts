/** How sure stages were, for a person at a terminal. */
import { confidenceMetrics, type Judgement } from "../metrics/judgements.ts"
import { plural } from "../double/Script.ts"

const BARS = "▁▂▃▄▅▆▇█"

/** The counts as bars, the highest one full; nothing where there is nothing. */
const barsOf = (counts: ReadonlyArray<number>): string => {
  const most = Math.max(...counts)
  return counts
    .map((count) => (count === 0 ? "·" : BARS[Math.ceil((count / most) * BARS.length) - 1]))
    .join("")
}

/** Two lines, ends with a line break; empty without judgments. */
export const confidenceText = (judgements: ReadonlyArray<Judgement>): string => {
  const metrics = confidenceMetrics(judgements)
  if (metrics.judgements === 0) return ""
  const asked = judgements.filter(({ asks }) => asks).length
  const rate = `${Number(((metrics.clarification_rate ?? 0) * 100).toFixed(2))} %`
  return `  ${"clarification".padEnd(27)}${rate.padStart(8)}  ${asked} of ${plural(metrics.judgements, "judgement", "judgements")}
  ${"confidence".padEnd(27)}${String(metrics.median).padStart(8)}  median, lowest ${metrics.lowest}, by tenths ${barsOf(metrics.spread)}
`
}
