/** How sure stages were of what they made, as they noted it; concatenated judgements are judgements. */
import type { JsonObject, RunEvent } from "@planloom/plugin/effect"
import { rate, tenthOf, TENTHS } from "./figures.ts"

export interface Judgement {
  /** 0 to 1. */
  readonly confidence: number
  readonly threshold: number
  /** The stage asked its user. */
  readonly asks: boolean
}

export interface ConfidenceNote extends Judgement {
  readonly path: string
  readonly stage: string
}

/** The notes `confidence` of a run, in order, each with its stage. */
export const confidenceNotes = (events: ReadonlyArray<RunEvent>): ReadonlyArray<ConfidenceNote> =>
  events.flatMap((event) => {
    if (event.type !== "Noted" || event.note !== "confidence") return []
    const { asks, confidence, threshold } = event.data as JsonObject
    return typeof confidence === "number" && typeof threshold === "number"
      ? [
          {
            path: event.path,
            stage: event.stage,
            confidence,
            threshold,
            asks: asks === true,
          },
        ]
      : []
  })

export const judgementsOf = (events: ReadonlyArray<RunEvent>): ReadonlyArray<Judgement> =>
  confidenceNotes(events).map(({ path: _, stage: __, ...judgement }) => judgement)

export interface ConfidenceMetrics {
  readonly judgements: number
  /** Share of the judgements that ended in a question; null without any. */
  readonly clarification_rate: number | null
  readonly lowest: number | null
  readonly median: number | null
  /** How many in each tenth, from 0–0.1 to 0.9–1. */
  readonly spread: ReadonlyArray<number>
}

export const confidenceMetrics = (judgements: ReadonlyArray<Judgement>): ConfidenceMetrics => {
  const sorted = judgements.map(({ confidence }) => confidence).toSorted((a, b) => a - b)
  const spread = Array.from({ length: TENTHS }, () => 0)
  for (const one of sorted) spread[tenthOf(one)]!++
  const asked = judgements.filter(({ asks }) => asks).length
  return {
    judgements: sorted.length,
    clarification_rate: rate(asked, sorted.length),
    lowest: sorted[0] ?? null,
    median: sorted[Math.floor((sorted.length - 1) / 2)] ?? null,
    spread,
  }
}
