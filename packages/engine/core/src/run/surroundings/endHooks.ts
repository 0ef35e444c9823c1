/** Hooks at the points of a whole run: before an output leaves it, and after it has ended. */
import * as Effect from "effect/Effect"
import type { FailureRecord, Json, JsonObject, StageFailed } from "@planloom/plugin/effect"
import { ofRun } from "@planloom/plugin/segments"
import { CallHooks } from "../../hook/CallHooks.ts"
import type { PipelineOutput } from "../../pipeline/Pipeline.ts"
import { CallSurroundings } from "./CallSurroundings.ts"
import { isGated, type Frame } from "../Frame.ts"
import { shownOutput } from "../shown/showing.ts"
import { hookSite } from "./hookSite.ts"

const hooksOf = (frame: Frame): CallHooks | undefined => {
  const { hooks } = frame.pipeline
  return hooks === undefined
    ? undefined
    : new CallHooks(hooks, hookSite(frame, new CallSurroundings(frame, "", "", undefined)))
}

/**
 * An output as it leaves the run: after its gates and, as a text, after the hooks at `before_response`. Recorded, and made
 * once, because an early output is the one with which the run ends. Undefined for a nested workflow and for one without
 * such hooks and gates.
 */
export const responder = (
  frame: Frame,
): ((output: PipelineOutput, value: Json) => Effect.Effect<Json, StageFailed>) | undefined => {
  if (frame.prefix !== "") return undefined
  const hooks = hooksOf(frame)
  const isHooked = hooks?.has("before_response") === true
  const passesGates = isGated(frame)
  if (!isHooked && !passesGates) return undefined
  const { state } = frame
  const responses = (state.responses ??= new Map())
  const hooked = ({ name: output, stream: streamed }: PipelineOutput, text: Json) => {
    if (!isHooked || typeof text !== "string") return Effect.succeed(text)
    const name = ofRun("response", [output])
    const made = Effect.suspend(() =>
      Effect.map(
        hooks.run("before_response", { output, text, streamed }, { name, of: output }),
        (draft) => draft.text,
      ),
    )
    return state.journal.step(name, made)
  }
  return (output, value) => {
    const known = responses.get(output.name)
    if (known !== undefined) return Effect.succeed(known)
    const shown = passesGates ? shownOutput(frame, output, value) : Effect.succeed(value)
    return Effect.tap(
      Effect.flatMap(shown, (passed) => hooked(output, passed)),
      (said) => Effect.sync(() => responses.set(output.name, said)),
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
