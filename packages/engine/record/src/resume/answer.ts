/** Records the answer to a question of a run, and resumes the run with it. */
import * as Effect from "effect/Effect"
import {
  AnswerRefused,
  StoreFailed,
  type Json,
  type OpenWait,
  type RunRecord,
  type RunStore,
  type Wait,
} from "@planloom/plugin/effect"
import { isQuestion } from "@planloom/plugin/segments"
import type { Pipeline, RunFailed, RunResult, InputsRejected } from "@planloom/core"
import { answerMismatch } from "@planloom/core/internal"
import { Audit } from "../audit/Audit.ts"
import { requireSameInputs, resume, type ResumeOptions } from "./resume.ts"

export interface GivenAnswer {
  /** Name of the question; required when more than one is open. */
  readonly name?: string
  readonly value: Json
  /** Who answers; `person` unless given. Not a word by which the engine says that no person did. */
  readonly by?: string
  /** The API key, user or program that brings the answer; `program` in the audit list unless given. */
  readonly via?: string
}

/** The reason against an author's name: the engine marks its own answers by it. */
export const authorMismatch = (by: string): string | undefined =>
  UNANSWERED.has(by) ? `must be a name: "${by}" says that no person answered` : undefined

const UNANSWERED: ReadonlySet<string> = new Set(["declined", "default", "expired"])

/** Validates and records an answer, and returns the run's record. When `isWaiting`, the caller has to resume it. */
export const giveAnswer = (
  store: RunStore,
  run: string,
  { by = "person", name, value, via }: GivenAnswer,
): Effect.Effect<RunRecord, StoreFailed | AnswerRefused> =>
  Effect.gen(function* () {
    const author = authorMismatch(by)
    if (author !== undefined) {
      return yield* new AnswerRefused({ reason: "invalid", message: `\`by\` ${author}` })
    }
    const open = yield* store.waits({ run })
    const wanted =
      name === undefined ? yield* onlyName(store, run, open) : (openWait(open, name)?.name ?? name)
    const asked = open.find(({ wait }) => wait.name === wanted)
    if (asked !== undefined) {
      const mismatch = yield* answerMismatch(asked.wait.schema, value)
      if (mismatch !== undefined) {
        return yield* new AnswerRefused({ reason: "invalid", message: mismatch })
      }
    }
    const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const answer = { value, by, at, ...(via === undefined ? {} : { via }) }
    const record = yield* store.answer(run, wanted, answer)
    const about = { run, workflow: record.workflow, question: wanted }
    yield* Audit.of(store)?.record({ action: "answered", via, by, about }) ?? Effect.void
    return record
  })

/** The open question of this name, or the only one that waits for the signal of this name. */
export const openWait = (open: ReadonlyArray<OpenWait>, name: string): Wait | undefined => {
  const waits = open.map(({ wait }) => wait)
  const signals = waits.filter((wait) => wait.kind === "signal" && isQuestion(wait.name, name))
  return waits.find((wait) => wait.name === name) ?? (signals.length === 1 ? signals[0] : undefined)
}

const onlyName = (
  store: RunStore,
  run: string,
  open: ReadonlyArray<OpenWait>,
): Effect.Effect<string, StoreFailed | AnswerRefused> =>
  Effect.gen(function* () {
    if (open.length === 1) return open[0]!.wait.name
    if ((yield* store.show(run)) === undefined) {
      return yield* new StoreFailed({ reason: "missing", message: `there is no run "${run}"` })
    }
    return yield* new AnswerRefused({
      reason: "unknown",
      message:
        open.length === 0
          ? `the run ${run} waits for no answer`
          : `the run ${run} has ${open.length} open questions; name the one to answer: ${open.map(({ wait }) => wait.name).join(", ")}`,
    })
  })

/** Whether the run is suspended and no process owns it. */
export const isWaiting = ({ finishedAt, status }: RunRecord): boolean =>
  finishedAt === undefined && (status === "suspended" || status === "clarification")

/**
 * Records the answer, and resumes the run in this process when it is suspended. `pipeline` must be compiled from the
 * definition the run started with. Undefined when another process executes the run, which then reads the answer itself.
 * Inputs that the resume would refuse are refused before the answer is recorded.
 */
export const answer = (
  pipeline: Pipeline,
  run: string,
  given: GivenAnswer,
  options: ResumeOptions,
): Effect.Effect<RunResult | undefined, RunFailed | InputsRejected | StoreFailed | AnswerRefused> =>
  Effect.gen(function* () {
    const { by = given.by, store } = options
    yield* requireSameInputs(pipeline, run, options)
    const record = yield* giveAnswer(store, run, given)
    if (!isWaiting(record)) return undefined
    const { epoch } = record
    return yield* resume(pipeline, run, { ...options, ...(by === undefined ? {} : { by }), epoch })
  })
