/** Runs what a stage contains: a block or another workflow. Passed down, because stages and runners are mutually recursive. */
import type * as Effect from "effect/Effect"
import type { JsonObject, StageFailed } from "@planloom/plugin/effect"
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
