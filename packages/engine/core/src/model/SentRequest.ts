/** A request to a model as it was sent, for hosts that read prompts. */
import type { ModelRequest, Section } from "@planloom/plugin/effect"

export interface SentRequest {
  /** Path of the stage occurrence. */
  readonly path: string
  readonly stage: string
  /** The attempt of the stage, from 1. */
  readonly attempt: number
  /** As the workflow names it. */
  readonly model: string
  /** Mode of the prompt; empty without one. */
  readonly mode: string
  /** What the system text was made of. */
  readonly sections: ReadonlyArray<Section>
  /** After hooks. Of a call that a recording answers, without their changes, because no hook runs. */
  readonly request: ModelRequest
}
