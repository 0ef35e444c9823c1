/** Implements `planloom review show`: prints one review with its findings and decision. */
import type { QueuedReview, ReviewItem } from "@planloom/shadow/queue"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { timeText } from "../runs/listRuns.ts"
import { print, stdout, textWidth } from "../terminal/Screen.ts"
import { definitions } from "../terminal/table.ts"
import { oneLine, visible, wrap } from "../terminal/text.ts"
import { reviewNamed, withQueue } from "./withQueue.ts"

export const showReview: Handler<{ readonly id: string; readonly json: boolean }> = ({
  id,
  json,
}) =>
  withQueue((queue) =>
    Effect.map(reviewNamed(queue, id), (review): ExitName => {
      print(json ? JSON.stringify(review, null, 2) : reviewText(review))
      return "ok"
    }),
  )

export const reviewText = ({ id, item, state }: QueuedReview): string => {
  const { claim, decision } = item
  const width = textWidth(stdout) - 2
  const block = (title: string, text: string): ReadonlyArray<string> => [
    "",
    stdout.style.name(title),
    ...wrap(visible(text), width).map((line) => `  ${line}`),
  ]
  return [
    ...definitions(
      [
        ["review", [oneLine(id)]],
        ["state", [state]],
        ["verdict", [item.verdict]],
        ["reviewed", [timeText(item.at)]],
        ["stage", [oneLine(item.path)]],
        ...(item.session === undefined ? [] : [["session", [oneLine(item.session)]] as const]),
        ...(state === "claimed" && claim !== undefined
          ? [["claimed", [`by ${oneLine(claim.by)} until ${timeText(claim.until)}`]] as const]
          : []),
        ...(decision === undefined
          ? []
          : [
              [
                "decided",
                [`${decision.verdict}, by ${oneLine(decision.by)}, ${timeText(decision.at)}`],
              ] as const,
            ]),
        // A reviewer reads a replaced text again.
        ...[...Map.groupBy(item.findings, ({ reviewer }) => oneLine(reviewer))].map(
          ([reviewer, findings]) => [reviewer, findings.map(findingText)] as const,
        ),
      ],
      "",
    ),
    ...(item.request === "" ? [] : block("request", item.request)),
    ...(item.written === "" ? [] : block("written", item.written)),
    ...(item.shown === undefined ? [] : block("shown to the user", item.shown)),
    ...(decision?.text === undefined ? [] : block("text of the decision", decision.text)),
    ...(decision?.note === undefined ? [] : block("note", decision.note)),
  ].join("\n")
}

const findingText = ({
  cause,
  confidence,
  reason,
  verdict,
}: ReviewItem["findings"][number]): string =>
  `${verdict}${cause === "verdict" ? `, confidence ${confidence}` : ` (${cause})`}: ${oneLine(reason)}`
