/** An evaluation's expectations as a judge of recorded runs: of those that had the inputs of one of its cases. */
import * as Effect from "effect/Effect"
import type { Pipeline, RunResult } from "@planloom/core"
import type { JsonObject, RunEvent } from "@planloom/plugin/effect"
import { sameJson } from "@planloom/schema"
import type { EvaluationCase } from "../file/Evaluation.ts"
import { runJudge } from "./judgeRun.ts"
import {
  prepareEvaluation,
  type Preparation,
  type PreparationOptions,
} from "./prepareEvaluation.ts"

export interface RecordedResult {
  readonly inputs: JsonObject
  readonly result: RunResult
  readonly events: ReadonlyArray<RunEvent>
}

/** `expectsQuestion`: the case expects that the run asks. */
export interface Expected {
  readonly right: boolean
  readonly expectsQuestion: boolean
}

export interface ExpectationJudge extends Omit<Preparation, "ready"> {
  /** Undefined with errors in the files. Returns undefined for a run of which no case says anything. */
  readonly judge: ((recorded: RecordedResult) => Expected | undefined) | undefined
  /** The workflow's name; undefined with errors. */
  readonly of: string | undefined
  /** Its expectations read prompts, which no record has. */
  readonly readsPrompts: boolean
}

/** The plugins of the workflow are set up until the scope closes. */
export const expectationJudge = Effect.fnUntraced(function* (
  file: string,
  options: Pick<PreparationOptions, "load">,
) {
  const { ready, ...preparation } = yield* prepareEvaluation(file, options)
  if (ready === undefined) {
    return { ...preparation, judge: undefined, of: undefined, readsPrompts: false }
  }
  const { pipeline } = ready.variants[0]!.loaded
  const cases: Array<EvaluationCase> = []
  yield* Effect.promise(async () => {
    for await (const one of ready.cases()) cases.push(one)
  })
  const judged = runJudge(ready.evaluation, ready.reads)
  return {
    ...preparation,
    of: pipeline.name,
    readsPrompts: ready.reads.has("prompts"),
    judge: (recorded: RecordedResult): Expected | undefined => {
      const one = cases.find((each) => isOf(each, recorded, pipeline))
      if (one === undefined) return undefined
      const { unmet } = judged(one, recorded.result, {
        events: recorded.events,
        prompts: undefined,
      })
      return { right: unmet.length === 0, expectsQuestion: one.status === "clarification" }
    },
  } satisfies ExpectationJudge
})

/** A case is of a run with its inputs, outside of a conversation, which it may not have had. */
const isOf = (
  { inputs, session }: EvaluationCase,
  { events, inputs: given }: RecordedResult,
  { inputs: { defaults } }: Pipeline,
): boolean =>
  session === undefined &&
  !events.some((event) => event.type === "SessionOpened" && event.turns > 0) &&
  sameJson(given, { ...defaults, ...inputs })
