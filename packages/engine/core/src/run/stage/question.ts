/** Puts one question of a run: records it, emits it, and returns the answer of the record or of the host. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type Answer,
  type Json,
  type JsonSchema,
  type Question,
  type Wait,
} from "@planloom/plugin/effect"
import { formatIssues, isTooDeep, TOO_DEEP, type SchemaIssue } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import { parseDuration } from "@planloom/plugin/duration"
import { below } from "@planloom/plugin/segments"
import type { CallSite } from "../../model/CallSite.ts"
import { textIn, type Frame } from "../Frame.ts"
import type { RunState } from "../RunState.ts"
import { untimed } from "../policy/timeLimit.ts"

/** A kind's question as its attempt puts it. */
export const waitOf = (
  { expires, key, kind, message, schema, ...rest }: Question,
  site: Pick<CallSite, "attemptPath" | "path" | "clock">,
): Wait => {
  const patience = typeof expires === "string" ? parseDuration(expires) : expires
  if (expires !== undefined && patience === undefined) {
    throw new TypeError(`"${expires}" is not a duration`)
  }
  return {
    name: key === undefined ? site.attemptPath : below(site.attemptPath, "question", key),
    kind: kind ?? "signal",
    path: site.path,
    message,
    schema: schema ?? true,
    ...rest,
    ...(patience === undefined ? {} : { expiresAt: site.clock() + patience }),
  }
}

/** The question as first recorded, and its answer from the record or the host. */
export interface Put {
  readonly wait: Wait
  /** Undefined when the question is still open. */
  readonly answer: Answer | undefined
}

export const answerTo = (
  frame: Frame,
  stage: string,
  asked: Wait,
): Effect.Effect<Put, StageFailed> => {
  const { state } = frame
  return Effect.flatMap(state.journal.wait(asked), ({ answer, wait }) => {
    state.emit({ type: "Asked", path: wait.path, stage, wait })
    if (answer !== undefined) return emitAnswer(frame, stage, wait, answer)
    if (state.answer === undefined) return Effect.succeed({ wait, answer: undefined })
    const here = Effect.flatMap(
      untimed(state.answer(wait)),
      (value): Effect.Effect<Answer | undefined, StageFailed> =>
        value === undefined
          ? Effect.undefined
          : Effect.andThen(
              fitting(wait, value),
              state.journal.answer(wait.name, { value, by: "person", at: state.now() }),
            ),
    )
    const first = state.journal.lasting
      ? Effect.raceFirst(here, untimed(elsewhere(state, wait)))
      : here
    return Effect.flatMap(first, (given): Effect.Effect<Put, StageFailed> =>
      given === undefined
        ? Effect.succeed({ wait, answer: undefined })
        : emitAnswer(frame, stage, wait, given),
    )
  })
}

/** How often the record is read while the host is asked. */
const LOOK_INTERVAL_MS = 200

/** The answer that another process records, or that the question has once it expires. */
const elsewhere = (state: RunState, wait: Wait): Effect.Effect<Answer> =>
  Effect.flatMap(Effect.delay(state.journal.wait(wait), LOOK_INTERVAL_MS), ({ answer }) =>
    answer === undefined ? elsewhere(state, wait) : Effect.succeed(answer),
  )

/** Asks the host, without a record: the question belongs to a call that is recorded as a whole. */
export const askNow = (
  state: RunState,
  stage: string,
  wait: Wait,
): Effect.Effect<Answer, StageFailed> =>
  Effect.suspend(() => {
    state.emit({ type: "Asked", path: wait.path, stage, wait })
    const asked = state.answer === undefined ? Effect.undefined : untimed(state.answer(wait))
    return Effect.flatMap(asked, (value) => {
      const answer = { ...given(wait, value), at: state.now() }
      const { kind, name, path } = wait
      state.emit({ type: "Answered", path, stage, name, kind, value: answer.value, by: answer.by })
      return Effect.as(value === undefined ? Effect.void : fitting(wait, value), answer)
    })
  })

const given = (wait: Wait, value: Json | undefined): Pick<Answer, "by" | "value"> => {
  if (value !== undefined) return { value, by: "person" }
  return wait.default === undefined
    ? { value: null, by: "declined" }
    : { value: wait.default, by: "default" }
}

const emitAnswer = (
  frame: Frame,
  stage: string,
  wait: Wait,
  answer: Answer,
): Effect.Effect<Put, StageFailed> => {
  const { kind, message, name, path } = wait
  const { by, value } = answer
  frame.state.emit({ type: "Answered", path, stage, name, kind, value, by })
  return by === "expired"
    ? Effect.fail(
        new StageFailed({
          class: "timeout",
          message: textIn(frame)("expired", { values: { question: message } }),
        }),
      )
    : Effect.succeed({ wait, answer })
}

const fitting = (wait: Wait, value: Json): Effect.Effect<void, StageFailed> =>
  Effect.flatMap(answerMismatch(wait.schema, value), (mismatch) =>
    mismatch === undefined
      ? Effect.void
      : Effect.fail(new StageFailed({ class: "invalid_request", message: mismatch })),
  )

/** Describes in one sentence why an answer does not fit the question; undefined when it does. */
export const answerMismatch = (
  schema: JsonSchema,
  value: Json,
): Effect.Effect<string | undefined> =>
  Effect.map(answerIssues(schema, value), (issues) =>
    issues.length === 0 ? undefined : `the answer does not fit: ${formatIssues(issues)}`,
  )

/** Issues of an answer against the question's schema. */
export const answerIssues = (
  schema: JsonSchema,
  value: Json,
): Effect.Effect<ReadonlyArray<SchemaIssue>> =>
  Effect.sync(() =>
    isTooDeep(value)
      ? [{ path: "", message: TOO_DEEP, keyword: "depth" }]
      : validatorOf(schema)(value),
  )
