/** What can be seen of a world: everything a key may change that is not a plan, an explanation or a stored definition. */
import type { Json, JsonObject, ModelRequest, Part, RunEvent } from "@planloom/plugin/effect"
import type { StubbedCall } from "@planloom/testing"

export interface Observation {
  /** Error codes with their messages: nothing ran. */
  readonly refused?: ReadonlyArray<string>
  readonly requests: ReadonlyArray<ModelRequest>
  readonly calls: ReadonlyArray<StubbedCall>
  readonly events: ReadonlyArray<RunEvent>
  readonly parts: ReadonlyArray<Part>
  readonly ends: ReadonlyArray<JsonObject>
  /** Virtual milliseconds. */
  readonly ms: number
  /** Anything else that a world shows, such as the report of a test file. */
  readonly shown: ReadonlyArray<Json>
}

export const nothing: Observation = {
  requests: [],
  calls: [],
  events: [],
  parts: [],
  ends: [],
  ms: 0,
  shown: [],
}

/** Two observations are the same when their texts are. */
export const textOf = (observation: Observation): string => JSON.stringify(observation)
