/** What a stage may hold inside itself. Handed down from the run, because running it is the run again. */
import type * as Effect from "effect/Effect"
import type { JsonObject, StageFailed } from "@planloom/plugin"
import type { Block } from "../../pipeline/Pipeline.ts"
import type { Frame } from "../Frame.ts"

export interface NestedRunner {
  readonly block: (block: Block, frame: Frame) => Effect.Effect<void, StageFailed>
  readonly workflow: (
    frame: Frame,
    path: string,
    workflow: string,
    inputs: JsonObject,
  ) => Effect.Effect<JsonObject, StageFailed>
}
