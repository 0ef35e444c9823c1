/** The `with` of a plan that is made for a request. */
import type { Json } from "@planloom/plugin/effect"
import type { DialogueAct } from "@planloom/planning/reading"
import type { ConfidenceRule } from "@planloom/stage-kit"
import type { StepResultCall } from "../reflect/Reflection.ts"
import type { ToolChoice } from "../ToolChoice.ts"

export interface PlanInput {
  readonly request: string
  readonly context?: Json
  /** All that the workflow can reach unless given. */
  readonly tools?: ReadonlyArray<ToolChoice>
  readonly domain?: string
  readonly confidence?: ConfidenceRule
  /** The question if no call is planned. */
  readonly empty?: string
  /** Replies to messages that ask for nothing new. */
  readonly acts?: { readonly [act in DialogueAct]?: string }
  readonly max_steps?: number
  /** Of earlier rounds, as `execute` gives them. */
  readonly results: ReadonlyArray<Pick<StepResultCall, "tool" | "ok" | "summary" | "error">>
  /** The form of the calls: by the function calling of the service, or as JSON. */
  readonly calling: "auto" | "native" | "json"
  /** Rounds of the loop before this one. */
  readonly round: number
}
