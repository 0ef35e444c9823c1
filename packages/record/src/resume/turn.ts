/** One turn of a conversation, whether it begins a run or answers what the last one has asked. */
import * as Effect from "effect/Effect"
import {
  type AnswerRefused,
  type JsonObject,
  type OpenWait,
  type RunStore,
  type StoreFailed,
} from "@planloom/plugin"
import type { Pipeline, RunFailed, RunResult, InputsRejected, RunOptions } from "@planloom/core"
import { run } from "@planloom/core"
import { answer } from "./answer.ts"

/**
 * Runs the pipeline in the session. When a run of it waits for a clarification, the message in `inputs` (the
 * input that `session.user` reads) answers it instead, and that run goes on, with the inputs it began with.
 * While a run waits for anything else the turn fails with class `conflict`: `answer` is for that.
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
      const gone = yield* answer(pipeline, waiting, given, options)
      if (gone !== undefined) return gone
    }
    return yield* run(pipeline, inputs, { ...options, session })
  })

const isClarification = ({ wait }: OpenWait): boolean => wait.kind === "clarification"
