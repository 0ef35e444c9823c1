/** Implements `planloom review report`: compares the verdicts of reviewers with the decisions of people. */
import { reviewFigures, type ReviewerFigures } from "@planloom/shadow/queue"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import { withQueue } from "./withQueue.ts"

export const reportReviews: Handler<{ readonly json: boolean }> = ({ json }) =>
  withQueue((queue) =>
    Effect.map(queue.list("decided"), (decided): ExitName => {
      const figures = reviewFigures(decided)
      if (json) print(JSON.stringify(figures, null, 2))
      else if (figures.length === 0) say(stderr.style.dim("no decided reviews found"))
      else print(figuresText(figures))
      return "ok"
    }),
  )

const figuresText = (figures: ReadonlyArray<ReviewerFigures>): string => {
  const { style } = stdout
  return table(
    [
      { head: "reviewer", align: "left", paint: style.name },
      { head: "decided", align: "right" },
      { head: "agreement", align: "right" },
      { head: "precision", align: "right" },
      { head: "recall", align: "right" },
      { head: "failed", align: "right" },
    ],
    figures.map(({ agreement, decided, failed, precision, recall, reviewer }) => [
      oneLine(reviewer),
      String(decided),
      percent(agreement),
      percent(precision),
      percent(recall),
      String(failed),
    ]),
    textWidth(stdout),
    style.dim,
  ).join("\n")
}

const percent = (share: number | null): string =>
  share === null ? "" : `${(share * 100).toFixed(1)} %`
