/** Model swaps port: the models that a host keeps in place of those of workflow files, to change them without a restart. */
import type { Effect } from "effect/Effect"
import type { StoreFailed } from "./StoreFailed.ts"

/** The models in force of what has been swapped, `provider/model`, first choice first. */
export interface SwappedModels {
  /** Differs from that of every earlier state of the same workflow. */
  readonly revision: number
  readonly aliases: { readonly [alias: string]: ReadonlyArray<string> }
  /** By the id of a stage; `id/fallback:1` for the kind that runs in its place. */
  readonly stages: { readonly [stage: string]: ReadonlyArray<string> }
}

/** Gives the models in force. A run asks before each stage and each further call of it; an answer should come at once. */
export interface ModelSwaps {
  /** Undefined for a workflow of which nothing has ever been swapped. */
  readonly current: (workflow: string) => Effect<SwappedModels | undefined, StoreFailed>
}
