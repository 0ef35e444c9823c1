/** Recorded runs of a stage with its first confidence, and what the record says of whether they were right. */
import { resultOf } from "@planloom/core"
import { effectiveEvents } from "@planloom/core/internal"
import type { JsonObject, RunEvent, RunRecord, RunStore, Verdict } from "@planloom/plugin/effect"
import {
  confidenceNotes,
  type ConfidenceNote,
  type Expected,
  type RecordedResult,
  type ThresholdRun,
} from "@planloom/testing"
import type { QueuedReview } from "@planloom/shadow/queue"
import * as Effect from "effect/Effect"
import { heldBack } from "../../runs/heldBack.ts"
import { isEmptyPlan, keptAfterAnswer } from "./asked.ts"

/** The source of a verdict on a run. */
export const truthSources = ["expression", "evaluation", "review", "answer"] as const
export type TruthSource = (typeof truthSources)[number]

export interface Judges {
  readonly expression: ((recorded: RecordedResult) => boolean | undefined) | undefined
  readonly evaluation: ((recorded: RecordedResult) => Expected | undefined) | undefined
  readonly reviews: ReadonlyArray<QueuedReview>
}

export interface StageRun extends ThresholdRun {
  readonly stage: string
  readonly threshold: number
  readonly sources: ReadonlyArray<TruthSource>
}

/** One entry for each stage that judged its confidence in each run. Forks repeat a decision of another run and count for none. */
export const readRuns = Effect.fnUntraced(function* (
  store: RunStore,
  filter: { readonly workflow: string; readonly since?: number },
  judges: Judges,
) {
  const found: Array<StageRun> = []
  for (const record of yield* store.list(filter)) {
    const events = effectiveEvents(yield* store.events(record.run))
    const first = firstJudgements(events)
    if (first.length === 0 || events.some(({ type }) => type === "RunForked")) continue
    const { steps } = yield* store.read(record.run)
    const verdicts = verdictsOf(record, events, judges)
    for (const judgement of first) found.push(stageRun(judgement, { events, steps }, verdicts))
  }
  return found
})

/** Of each stage; later ones are of other rounds, or follow an answer. */
const firstJudgements = (events: ReadonlyArray<RunEvent>): ReadonlyArray<ConfidenceNote> => {
  const notes = confidenceNotes(events)
  return notes.filter(({ stage }, at) => notes.findIndex((one) => one.stage === stage) === at)
}

interface Verdicts {
  /** The verdicts of the sources on the run's result. */
  readonly right: ReadonlyMap<TruthSource, boolean>
  readonly expectsQuestion: boolean
}

const verdictsOf = (
  { inputs, run }: RunRecord,
  events: ReadonlyArray<RunEvent>,
  { evaluation, expression, reviews }: Judges,
): Verdicts => {
  const recorded = { inputs: inputs as JsonObject, result: resultOf(events), events }
  const right = new Map<TruthSource, boolean>()
  const holds = expression?.(recorded)
  if (holds !== undefined) right.set("expression", holds)
  const expected = evaluation?.(recorded)
  if (expected !== undefined) right.set("evaluation", expected.right)
  const decided = reviews.flatMap(({ item }) =>
    item.run === run && item.decision !== undefined ? (isRight(item.decision.verdict) ?? []) : [],
  )
  if (decided.length > 0) right.set("review", !decided.includes(false))
  return { right, expectsQuestion: expected?.expectsQuestion === true }
}

/** A text that a person would have changed or blocked was wrong; a flag says nothing of it. */
const isRight = (verdict: Verdict): boolean | undefined =>
  verdict === "flag" ? undefined : verdict === "pass"

const stageRun = (
  { asks, confidence, path, stage, threshold }: ConfidenceNote,
  recorded: { readonly events: ReadonlyArray<RunEvent> } & Parameters<typeof heldBack>[0],
  { expectsQuestion, right: verdicts }: Verdicts,
): StageRun => {
  const base = { stage, confidence, threshold, asked: asks }
  const all = [...verdicts.values()]
  const known = all.length === 0 ? undefined : !all.includes(false)
  if (!asks) return { ...base, alwaysAsks: false, right: known, sources: [...verdicts.keys()] }
  const held = heldBack(recorded, path)
  const alwaysAsks = confidence >= threshold || isEmptyPlan(held)
  // Whatever it would have answered, it should ask.
  if (expectsQuestion) return { ...base, alwaysAsks, right: false, sources: ["evaluation"] }
  const kept = keptAfterAnswer(held, recorded.events, path)
  // What others say of the result is about another answer, unless this one was kept.
  return kept === undefined
    ? { ...base, alwaysAsks, right: undefined, sources: [] }
    : kept
      ? { ...base, alwaysAsks, right: known ?? true, sources: ["answer", ...verdicts.keys()] }
      : { ...base, alwaysAsks, right: false, sources: ["answer"] }
}
