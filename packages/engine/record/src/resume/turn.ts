/** Runs one turn of a session: starts a run, or answers the question of the run that waits. */
import * as Effect from "effect/Effect"
import {
  type AnswerRefused,
  type JsonObject,
  type OpenWait,
  type RunStore,
  type StoreFailed,
} from "@planloom/plugin/effect"
import type { Pipeline, RunFailed, RunResult, InputsRejected, RunOptions } from "@planloom/core"
import { personalNames } from "@planloom/core/internal"
import { run } from "@planloom/core"
import { answer } from "./answer.ts"

/**
 * Runs the pipeline in the session. When a run of it waits for a clarification, the message in `inputs` (the
 * input that `session.request` reads) answers it instead, and that run resumes with its recorded inputs; its personal
 * ones are taken from `inputs`, where they must be the same.
 * While a run waits for anything else the turn fails with class `conflict`; use `answer` there.
 */
export const turn = (
  pipeline: Pipeline,
  session: string,
  inputs: JsonObject,
  options: RunOptions & { readonly store: RunStore },
): Effect.Effect<RunResult, RunFailed | InputsRejected | StoreFailed | AnswerRefused> =>
  Effect.gen(function* () {
    const { store } = options
    const waiting = yield* store.sessions.waiting(session)
    const open = waiting === undefined ? [] : yield* store.waits({ run: waiting })
    const asked = open.find(isClarification)
    const message = inputs[pipeline.session?.message ?? ""]
    if (waiting !== undefined && asked !== undefined && message !== undefined) {
      const given = { name: asked.wait.name, value: message }
      const personal = personalNames(pipeline.definition.inputs).filter(
        (name) => name !== pipeline.session?.message && Object.hasOwn(inputs, name),
      )
      const brought = personal.map((name) => [name, inputs[name]!] as const)
      const again = { ...options, inputs: Object.fromEntries(brought) }
      const resumed = yield* answer(pipeline, waiting, given, again)
      if (resumed !== undefined) return resumed
    }
    return yield* run(pipeline, inputs, { ...options, session })
  })

const isClarification = ({ wait }: OpenWait): boolean => wait.kind === "clarification"
