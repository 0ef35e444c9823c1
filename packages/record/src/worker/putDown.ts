/** A run that is recorded before it begins, for whoever goes on with it. */
import type { Json, JsonObject, RecordedRun } from "@planloom/plugin"
import type { Pipeline } from "@planloom/core"
import { Personal, scrubber } from "@planloom/core/internal"

export interface PutDown {
  readonly run: string
  readonly inputs: JsonObject
  /** What it is loaded from. */
  readonly definition: Json
  readonly secrets?: ReadonlyArray<string>
  /** What it is to be a turn of. */
  readonly session?: string | undefined
  /** Epoch milliseconds. */
  readonly at: number
}

export interface Beginning {
  /** For `RunStore.write`: due from then on. */
  readonly recorded: RecordedRun
  /** What the record holds only marks of. */
  readonly unrecorded: JsonObject
}

/** The inputs must fit the pipeline. */
export const putDown = (
  pipeline: Pipeline,
  { at, definition, inputs, run, secrets = [], session }: PutDown,
): Beginning => {
  const clean = new Personal(pipeline.definition.inputs, inputs).inputs(inputs)
  const kept = (scrubber(secrets)?.(clean) ?? clean) as JsonObject
  return {
    recorded: {
      run,
      workflow: pipeline.name,
      status: "running",
      inputs: kept,
      startedAt: at,
      definition,
      ...(session === undefined ? {} : { session }),
      steps: [],
      timers: {},
      waits: [],
      events: [],
    },
    unrecorded: Object.fromEntries(
      Object.entries(inputs).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(kept[name]),
      ),
    ),
  }
}
