/** One question of a run: kept, told, answered by its record or by somebody present. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type Answer,
  type Json,
  type JsonSchema,
  type Question,
  type Wait,
} from "@planloom/plugin"
import { listed } from "../../pipeline/listed.ts"
import type { SchemaIssue } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import { parseDuration } from "@planloom/plugin/duration"
import type { CallSite } from "../../model/CallSite.ts"
import type { RunState } from "../RunState.ts"
import { untimed } from "../policy/timeLimit.ts"

/** A kind's question as its attempt puts it. */
export const waitOf = (
  { expires, key, kind, message, schema, ...rest }: Question,
  site: Pick<CallSite, "attemptPath" | "path" | "clock">,
): Wait => {
  const patience = typeof expires === "string" ? parseDuration(expires) : expires
  if (expires !== undefined && patience === undefined) {
    throw new TypeError(`"${expires}" is no duration`)
  }
  return {
    name: key === undefined ? site.attemptPath : `${site.attemptPath}/${key}`,
    kind: kind ?? "signal",
    path: site.path,
    message,
    schema: schema ?? true,
    ...rest,
    ...(patience === undefined ? {} : { expiresAt: site.clock() + patience }),
  }
}

/** The question as it was put the first time, and its answer, on record or from somebody present. */
export interface Put {
  readonly wait: Wait
  /** Undefined when there is none yet. */
  readonly answer: Answer | undefined
}

export const answerTo = (
  state: RunState,
  stage: string,
  asked: Wait,
): Effect.Effect<Put, StageFailed> =>
  Effect.flatMap(state.journal.wait(asked), ({ answer, wait }) => {
    state.emit({ type: "Asked", path: wait.path, stage, wait })
    if (answer !== undefined) return told(state, stage, wait, answer)
    if (state.answer === undefined) return Effect.succeed({ wait, answer: undefined })
    return Effect.flatMap(untimed(state.answer(wait)), (value): Effect.Effect<Put, StageFailed> =>
      value === undefined
        ? Effect.succeed({ wait, answer: undefined })
        : Effect.flatMap(
            Effect.andThen(
              fitting(wait, value),
              state.journal.answer(wait.name, { value, by: "person", at: state.now() }),
            ),
            (first) => told(state, stage, wait, first),
          ),
    )
  })

const told = (
  state: RunState,
  stage: string,
  wait: Wait,
  answer: Answer,
): Effect.Effect<Put, StageFailed> => {
  const { kind, message, name, path } = wait
  const { by, value } = answer
  state.emit({ type: "Answered", path, stage, name, kind, value, by })
  return by === "expired"
    ? Effect.fail(
        new StageFailed({
          class: "timeout",
          message: `nobody has answered in time: ${message}`,
        }),
      )
    : Effect.succeed({ wait, answer })
}

const fitting = (wait: Wait, value: Json): Effect.Effect<void, StageFailed> =>
  Effect.flatMap(answerMismatch(wait.schema, value), (misfit) =>
    misfit === undefined
      ? Effect.void
      : Effect.fail(new StageFailed({ class: "invalid_request", message: misfit })),
  )

/** Why an answer does not fit what was asked, in one sentence; undefined when it does. */
export const answerMismatch = (
  schema: JsonSchema,
  value: Json,
): Effect.Effect<string | undefined> =>
  Effect.map(answerIssues(schema, value), (issues) =>
    issues.length === 0 ? undefined : `the answer does not fit: ${listed(issues)}`,
  )

/** What of an answer does not fit what was asked. */
export const answerIssues = (
  schema: JsonSchema,
  value: Json,
): Effect.Effect<ReadonlyArray<SchemaIssue>> => Effect.sync(() => validatorOf(schema)(value))
