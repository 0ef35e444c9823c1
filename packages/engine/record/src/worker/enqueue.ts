/** Creates the record of a run that a worker will start. */
import * as Effect from "effect/Effect"
import type { Json, JsonObject, RecordedRun, RunStart } from "@planloom/plugin/effect"
import type { Pipeline } from "@planloom/core"
import { Personal, digestPersonal, scrubber, scrubbing } from "@planloom/core/internal"

export interface EnqueueOptions {
  readonly run: string
  readonly inputs: JsonObject
  /** Passed to the worker's `load`. */
  readonly definition: Json
  readonly secrets?: ReadonlyArray<string>
  /** The session that the run is a turn of. */
  readonly session?: string | undefined
  /** A user that fits the pipeline; empty for a workflow without users. */
  readonly user?: JsonObject
  /** Of the id of the user that the run is for. */
  readonly userDigest?: string | undefined
  /** Epoch milliseconds. */
  readonly at: number
}

export interface EnqueuedRun {
  /** For `RunStore.write`; due once written. */
  readonly recorded: RecordedRun
  /** Inputs that the record holds only placeholders of. */
  readonly unrecorded: JsonObject
  /** Removes secrets and personal texts from everything that the run records. */
  readonly scrub: RunStart["scrub"]
}

/** Expects inputs that are valid for the pipeline. */
export const enqueue = Effect.fnUntraced(function* (
  pipeline: Pipeline,
  { at, definition, inputs, run, secrets = [], session, user = {}, userDigest }: EnqueueOptions,
): Effect.fn.Return<EnqueuedRun> {
  const personal = new Personal(pipeline.definition.inputs, inputs, user)
  const hidden = personal.inputs(inputs)
  const kept = (scrubber(secrets)?.(hidden) ?? hidden) as JsonObject
  const scrub = scrubbing(personal, { definition, secrets, recorded: kept })
  const personalDigests = yield* digestPersonal(personal.names, inputs)
  return {
    recorded: {
      run,
      workflow: pipeline.name,
      status: "running",
      inputs: kept,
      startedAt: at,
      definition,
      ...(session === undefined ? {} : { session }),
      ...(userDigest === undefined ? {} : { userDigest }),
      ...(personalDigests === undefined ? {} : { personalDigests }),
      steps: [],
      timers: {},
      waits: [],
      events: [],
    },
    unrecorded: kept === inputs ? {} : unrecordedOf(inputs, kept, personal.names),
    scrub,
  }
})

/** Personal inputs count even if they equal their placeholders. */
const unrecordedOf = (
  inputs: JsonObject,
  kept: JsonObject,
  personal: ReadonlyArray<string>,
): JsonObject =>
  Object.fromEntries(
    Object.entries(inputs).filter(
      ([name, value]) =>
        personal.includes(name) || JSON.stringify(value) !== JSON.stringify(kept[name]),
    ),
  )
