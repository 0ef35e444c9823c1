/** One model call of a stage, and one request of it to one model. */
import type { ModelRequest, Section } from "@planloom/plugin/effect"
import type { BoundRate, PipelineLimits } from "../pipeline/limits.ts"
import type { ModelChoice } from "../pipeline/resolveModel.ts"
import type { CallSite } from "./CallSite.ts"
import type { ReplyReader } from "../reply/parts/ReplyReader.ts"
import type { ReplyGate } from "../reply/parts/throughGate.ts"
import type { Question } from "./request/requestOf.ts"

export interface ModelCall extends Question {
  readonly site: CallSite
  /** Counts the calls of the attempt, from 1. */
  readonly number: number
  readonly limits: PipelineLimits | undefined
  /** Reads the reply while it is written. */
  readonly reader: ReplyReader | undefined
  /** Decides which of the reply's text its stage and its host receive. */
  readonly gate: ReplyGate | undefined
  /** What `system` was made of. */
  readonly sections: ReadonlyArray<Section>
  /** Prompt mode; empty without one. */
  readonly mode: string
  /** The request without its hooks, for a cassette: its answers do not depend on them. */
  readonly unhooked: Pick<Question, "system" | "tools"> | undefined
}

/** One request to one model, and what must be kept on the way. */
export interface Asked {
  readonly call: ModelCall
  readonly choice: ModelChoice
  readonly request: ModelRequest
  readonly rates: ReadonlyArray<BoundRate>
}
