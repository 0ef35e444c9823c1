/** Reviews outputs that have left the run, and corrects them before the run ends. */
import * as Effect from "effect/Effect"
import {
  failureClasses,
  toFailureRecord,
  type CallRecord,
  type Correction,
  type Json,
  type JsonObject,
} from "@planloom/plugin/effect"
import { firstOf, ofCorrection } from "@planloom/plugin/segments"
import type { ReviewedNode, ReviewedOutput } from "../../pipeline/Pipeline.ts"
import { writes } from "../../tool/writes.ts"
import type { Frame } from "../Frame.ts"
import type { RunState } from "../RunState.ts"
import type { NestedRunner } from "../schedule/NestedRunner.ts"
import { AttemptContext } from "../stage/attempt/AttemptContext.ts"
import { noteEvent } from "../stage/attempt/noteEvent.ts"
import { Occurrence, type KindOccurrence } from "../stage/Occurrence.ts"
import { draftOf, gateContext } from "./openGate.ts"
import { cleanText } from "./openReply.ts"

/**
 * Hosts receive the outputs first, then one event for each correction. A correction is recorded, so a resumed run asks no
 * reviewer again. A reviewer that fails leaves the output and is noted.
 */
export const correctOutputs = (
  frame: Frame,
  outputs: JsonObject,
  nested: NestedRunner,
): Effect.Effect<JsonObject> => {
  const { pipeline, state } = frame
  const due = pipeline.reviewed.flatMap(({ output, stages }) => {
    const text = outputs[output.name]
    const written = stages.flatMap((stage) => writtenBy(stage, state) ?? [])
    return typeof text === "string" && text !== "" && written.length > 0
      ? [{ output, text, written }]
      : []
  })
  for (const { output, text } of due) {
    if (!output.early) state.emit({ type: "OutputReady", name: output.name, value: text })
  }
  if (due.length > 0) state.onReview?.()
  return Effect.map(
    Effect.forEach(due, (one) => correctOutput(frame, one, nested), { concurrency: "unbounded" }),
    (corrected) => ({ ...outputs, ...Object.fromEntries<Json>(corrected) }),
  )
}

/** A stage that asked a model for its reply. */
interface Written extends ReviewedNode {
  readonly path: string
}

interface Due {
  readonly output: ReviewedOutput["output"]
  readonly text: string
  readonly written: ReadonlyArray<Written>
}

/** The last occurrence of the stage; undefined if it was skipped or failed. */
const writtenBy = (stage: ReviewedNode, state: RunState): Written | undefined => {
  const found = Object.entries(state.result().stages).findLast(
    ([, { outcome, stage: id }]) => id === stage.node.id && outcome === "success",
  )
  return found && { ...stage, path: found[0] }
}

const correctOutput = (
  frame: Frame,
  { output, text, written }: Due,
  nested: NestedRunner,
): Effect.Effect<readonly [string, string]> =>
  Effect.gen(function* () {
    const { name, stream, validate } = output
    const { state } = frame
    const asked = new Set<unknown>()
    let current = text
    // The text that leaves first has revision 1.
    let revision = 1
    for (const stage of written) {
      if (asked.has(stage.after)) continue
      asked.add(stage.after)
      const found = yield* correctionOf(frame, stage, name, current, nested)
      if (found === null) continue
      const next = cleanText(corrected(current, found), state.secrets)
      const isKept =
        found.action === "annotate" || hasActed(frame, stage, current) || validate(next).length > 0
      revision++
      state.emit({
        type: "OutputCorrected",
        name,
        revision,
        action: isKept ? "annotate" : found.action,
        ...(found.text === undefined || isKept ? {} : { text: found.text }),
      })
      if (isKept) continue
      current = next
      yield* (stream ? state.parts?.correct(name, next) : undefined) ?? Effect.void
      // What a session keeps of the stage's text is what has left as the output.
      state.responses ??= new Map()
      state.responses.set(name, next)
      if (found.action !== "append") (state.withdrawn ??= new Set()).add(name)
    }
    return [name, current] as const
  })

const correctionOf = (
  frame: Frame,
  { after, node, path }: Written,
  output: string,
  text: string,
  nested: NestedRunner,
): Effect.Effect<Correction | null> => {
  const { pipeline, state } = frame
  const occurrence = new Occurrence(node, frame, path, nested, undefined, undefined)
  const context = new AttemptContext(occurrence as KindOccurrence, 1, undefined)
  const { hookSite } = context
  const name = ofCorrection(output, node.id)
  const made = Effect.suspend(() =>
    after(
      text,
      // The attempt that wrote the text has ended: its calls are among those of the run.
      { ...draftOf(context.occurrence, hookSite), calls: state.calls },
      gateContext({ site: context, name }),
    ),
  ).pipe(
    Effect.map((found): Json => {
      if (found === undefined) return null
      const { action, text: given } = found
      return { action, ...(given === undefined ? {} : { text: given }) }
    }),
    Effect.catch((failure) =>
      Effect.sync((): Json => {
        const message = failureClasses[toFailureRecord(failure).class]
        state.emit(
          noteEvent(pipeline, { path, stage: node.id }, "correction_failed", { output, message }),
        )
        return null
      }),
    ),
  )
  return Effect.map(
    state.journal.step(name, made),
    (found) => found as unknown as Correction | null,
  )
}

/** Without a text of its own a retracted output is empty. */
const corrected = (text: string, { action, text: given = "" }: Correction): string =>
  action === "append" ? `${text}\n\n${given}` : given

/** Whether a tool may already have written what the text says: such a text is not rewritten. */
const hasActed = (
  { pipeline, state }: Frame,
  { position }: ReviewedNode,
  text: string,
): boolean => {
  const tools = state.toolsOf(pipeline)
  const positionOf = ({ path }: CallRecord): number => {
    const top = firstOf(path).id
    return pipeline.main.nodes.findIndex(({ id }) => id === top)
  }
  return state.calls.some(
    (call) =>
      call.ok &&
      writes(tools.get(call.tool)?.tool ?? {}) &&
      (positionOf(call) > position || holds(call.params, text)),
  )
}

const holds = (value: Json, text: string): boolean =>
  typeof value === "string"
    ? value.includes(text)
    : typeof value === "object" &&
      value !== null &&
      Object.values(value).some((one) => holds(one as Json, text))
