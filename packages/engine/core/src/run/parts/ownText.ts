/** Passes the text that a strategy without a model writes through the gate of its stage. */
import * as Effect from "effect/Effect"
import {
  ModelFailed,
  StageFailed,
  toFailureRecord,
  type Failure,
  type Json,
  type JsonObject,
} from "@planloom/plugin/effect"
import { loadedOnce } from "@planloom/plugin/late"
import { settledText } from "../../reply/parts/settledText.ts"
import type { AttemptContext } from "../stage/attempt/AttemptContext.ts"
import { doneText } from "./doneText.ts"
import { openGate } from "./openGate.ts"
import { cleanText, noteBlocked, noteFindings } from "./openReply.ts"

const streamModule = loadedOnce(() => import("effect/Stream"))

/**
 * The output with the settled text in its field. The gate reads the request first: if it is blocked, the strategy does not
 * run, and the kind gives an output for the text in its place. A text that is not streamed leaves with its output.
 */
export const gatedOutput = (
  context: AttemptContext,
  field: string,
  input: Json,
  strategy: Effect.Effect<Json, Failure>,
): Effect.Effect<Json, Failure> =>
  Effect.flatMap(streamModule(), (streams) =>
    Effect.suspend(() => {
      const { attemptPath: name, frame } = context
      const { secrets } = frame.state
      const { node } = context.occurrence
      let output: JsonObject | undefined
      let failed: Failure | undefined
      const written = Effect.matchEffect(strategy, {
        onFailure: (failure) => {
          failed = failure
          return Effect.fail(new ModelFailed({ ...toFailureRecord(failure), model: "" }))
        },
        onSuccess: (made) => {
          output = made as JsonObject
          const text = output[field]
          return Effect.succeed(typeof text === "string" ? cleanText(text, secrets) : "")
        },
      })
      const gate = openGate({ site: context, name, callsLater: true }, undefined)!
      const settled = settledText(streams, gate.through(streams.fromEffect(written)))
      return Effect.matchEffect(settled, {
        onFailure: (failure) => Effect.fail(failed ?? new StageFailed(toFailureRecord(failure))),
        onSuccess: ({ blocked, findings, text }): Effect.Effect<Json> => {
          noteFindings(context, frame.pipeline, findings)
          if (blocked === true) noteBlocked(context, frame.pipeline)
          frame.state.settled.add(node.gate!, text)
          if (output === undefined) {
            const { kind } = context.work
            return Effect.succeed(kind.refused?.(text, input as never) ?? { [field]: text })
          }
          const { kind } = context.work
          if (blocked === true && kind.blocked !== undefined) {
            const { calls, hookSite, path } = context
            const changes = calls.some(
              (call) => call.path === path && doneText(frame, hookSite, call) !== undefined,
            )
            return Effect.succeed(kind.blocked(text, input as never, output, changes))
          }
          return Effect.succeed(
            typeof output[field] === "string" ? { ...output, [field]: text } : output,
          )
        },
      })
    }),
  )
