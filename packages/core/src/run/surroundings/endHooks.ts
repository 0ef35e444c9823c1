/** Hooks at the points of a whole run: before an output leaves it, and after it has ended. */
import * as Effect from "effect/Effect"
import type { FailureRecord, Json, JsonObject, StageFailed } from "@planloom/plugin/effect"
import { ofRun } from "@planloom/plugin/segments"
import { CallHooks } from "../../hook/CallHooks.ts"
import type { PipelineOutput } from "../../pipeline/Pipeline.ts"
import { CallSurroundings } from "./CallSurroundings.ts"
import type { Frame } from "../Frame.ts"
import { hookSite } from "./hookSite.ts"

const hooksOf = (frame: Frame): CallHooks | undefined => {
  const { calls } = frame.state
  const { hooks } = frame.pipeline
  return hooks === undefined
    ? undefined
    : new CallHooks(hooks, hookSite(frame, new CallSurroundings(frame, "", "", calls)))
}

/**
 * Text as it leaves the run under the name of an output: recorded, and made once, because an early output is the text
 * with which the run ends. Undefined for a nested workflow and for a workflow without such hooks.
 */
export const responder = (
  frame: Frame,
):
  | ((
      output: Pick<PipelineOutput, "name" | "stream">,
      value: Json,
    ) => Effect.Effect<Json, StageFailed>)
  | undefined => {
  const hooks = frame.prefix === "" ? hooksOf(frame) : undefined
  if (hooks?.has("before_response") !== true) return undefined
  const { state } = frame
  const responses = (state.responses ??= new Map())
  return ({ name: output, stream: streamed }, text) => {
    if (typeof text !== "string") return Effect.succeed(text)
    const known = responses.get(output)
    if (known !== undefined) return Effect.succeed(known)
    const name = ofRun("response", [output])
    const made = Effect.suspend(() =>
      Effect.map(
        hooks.run("before_response", { output, text, streamed }, { name, of: output }),
        (draft) => draft.text,
      ),
    )
    return Effect.tap(state.journal.step(name, made), (said) =>
      Effect.sync(() => responses.set(output, said)),
    )
  }
}

/** Outputs as they leave the run. */
export const respond = (
  frame: Frame,
  outputs: JsonObject,
): Effect.Effect<JsonObject, StageFailed> => {
  const said = responder(frame)
  return said === undefined
    ? Effect.succeed(outputs)
    : Effect.map(
        Effect.forEach(frame.pipeline.outputs, (output) =>
          Effect.map(said(output, outputs[output.name]!), (text) => [output.name, text] as const),
        ),
        Object.fromEntries<Json>,
      )
}

/** Runs the hooks of a run's end, once for each end. */
export const afterRun = (
  frame: Frame,
  failure: FailureRecord | undefined,
  end: "succeeded" | "failed" | "cancelled",
  outputs: JsonObject = {},
): Effect.Effect<void, StageFailed> => {
  const hooks = hooksOf(frame)
  if (hooks?.has("run_finished") !== true) return Effect.void
  const { state } = frame
  const name = ofRun("finished", [state.endings + 1])
  const made = Effect.suspend(() =>
    Effect.as(
      hooks.run(
        "run_finished",
        {
          status: failure?.class === "clarification" ? "clarification" : end,
          outputs,
          degraded: state.result().degraded.length > 0,
        },
        { name },
      ),
      null,
    ),
  )
  // Past the cancellation, which has ended the steps of the run.
  return Effect.asVoid(state.outcome(name, made))
}
