/** Counts of a component's questions to models: what a dry run counts before anything is called. */

import type { Asking } from "./Asking.ts"
import type { JsonObject } from "../value/Json.ts"
import type { ModelClient } from "./ModelClient.ts"
import type { ReviewUse } from "./Review.ts"
import type { Tool } from "./Tool.ts"

/** The most that one attempt of a stage asks. What is absent does not happen. */
export interface Asks {
  readonly questions?: ReadonlyArray<Asking>
  /** Searches in indexes that it builds, each of which may call an embedder once. */
  readonly searches?: number
  /** Calls of tools, those that a model makes included: a tool may search, and ask a model itself. */
  readonly calls?: number
  /** Names of the tools that those calls are of; without it, any tool of the workflow. */
  readonly tools?: ReadonlyArray<string>
  /** Uses of reviewers by `context.review`, one for each review. */
  readonly reviews?: ReadonlyArray<ReviewUse>
  /** Runs of each workflow that its `with` names. */
  readonly workflows?: number
}

/** The knowledge about a stage before the run. */
export interface AsksOf {
  /** `with` as far as it does not depend on the run, with its defaults. */
  readonly with: JsonObject
  /** Keys of `with` whose values are known in the run only. */
  readonly open: ReadonlyArray<string>
  /** Whether the facts on every model of the stage list the capability, as `context.model.can` says in a run. */
  readonly can: ModelClient["can"]
  /** Descriptions of all tools of the workflow. */
  readonly tools: ReadonlyArray<Tool>
}
