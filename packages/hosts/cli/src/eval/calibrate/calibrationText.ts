/** A calibration of a threshold, for a person at a terminal. */
import type { ThresholdRow } from "@planloom/testing"
import { plural } from "../../terminal/quantity.ts"
import type { Style } from "../../terminal/Style.ts"
import { table } from "../../terminal/table.ts"
import { oneLine } from "../../terminal/text.ts"

export interface Calibration {
  readonly workflow: string
  readonly stage: string
  readonly runs: number
  readonly judged: number
  readonly sources: { readonly [source: string]: number }
  readonly recorded: ReadonlyArray<number>
  readonly max_wrong: number
  readonly rows: ReadonlyArray<ThresholdRow>
  readonly proposed: ThresholdRow | null
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Figures of the runs, and a row for each threshold at which one changes. */
export const calibrationTable = (
  { judged, proposed, recorded, rows, runs, sources, stage, workflow }: Calibration,
  style: Style,
  width: number,
): string => {
  const known = Object.entries(sources).flatMap(([source, count]) =>
    count === 0 ? [] : [`${source} ${count}`],
  )
  const changed = rows.filter((row, at) => {
    const before = rows[at - 1]
    return (
      before?.asked !== row.asked ||
      before.wrong !== row.wrong ||
      row === proposed ||
      recorded.includes(row.threshold)
    )
  })
  return [
    `${style.name(oneLine(workflow))}, stage ${style.name(oneLine(stage))}: ${plural(runs, "run")}, ${judged} known to be right or wrong${known.length === 0 ? "" : ` (${known.join(", ")})`}`,
    "",
    ...table(
      [
        { head: "threshold", align: "left" },
        { head: "questions", align: "right" },
        { head: "wrong answers", align: "right" },
        { head: "95 % interval", align: "left" },
        { head: "", align: "left" },
      ],
      changed.map((row) => [
        row.threshold.toFixed(2),
        `${percent(row.asked_rate)}  ${row.asked} of ${runs}`,
        row.wrong_rate === null ? "–" : `${percent(row.wrong_rate)}  ${row.wrong} of ${row.judged}`,
        row.wrong_rate === null ? "" : `${percent(row.wrong_low)} – ${percent(row.wrong_high)}`,
        [
          ...(recorded.includes(row.threshold) ? ["recorded"] : []),
          ...(row === proposed ? ["proposed"] : []),
          ...(row.unseen === 0 ? [] : [`${row.unseen} not known`]),
        ].join(", "),
      ]),
      width,
      style.dim,
    ),
  ].join("\n")
}

/** The proposal, or the reason for its absence and what to do. `least` is the fewest runs that allow a proposal. */
export const proposalText = (
  { judged, max_wrong: most, proposed, rows }: Calibration,
  least: number,
): readonly [message: string, help: string] => {
  if (proposed !== null) {
    return [
      `proposed: ${proposed.threshold}, which asks in ${percent(proposed.asked_rate)} of the runs; at most ${percent(proposed.wrong_high)} of its answers are wrong (95 % interval)`,
      "",
    ]
  }
  if (judged < least) {
    return [
      `too few runs: ${judged} are known to be right or wrong, and at most ${percent(most)} wrong answers cannot be shown with fewer than ${least}`,
      "decide reviews (planloom review), or name what is right: --expect file.eval.yaml, --right 'outputs.accepted'",
    ]
  }
  const isUnseen = rows.some(
    ({ judged: count, unseen, wrong_high: high }) => count > 0 && unseen > 0 && high <= most,
  )
  return [
    `no threshold has at most ${percent(most)} wrong answers at the upper end of its interval`,
    isUnseen
      ? "where it would hold, runs would answer that asked and got no answer: record some with a lower threshold"
      : "improve the stage, allow more with --max-wrong, or record more runs",
  ]
}
