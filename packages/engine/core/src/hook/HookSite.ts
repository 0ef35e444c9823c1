/** The place of a call that hooks surround: what they know of it, and how their effects are recorded. */
import type { CallContext, Json, RunEvent, Surroundings, Untimed } from "@planloom/plugin/effect"
import type { ExpressionScope } from "@planloom/expression"

export interface HookSite {
  readonly surroundings: Surroundings
  /** What `when` and `with` may read, besides `draft`. */
  readonly scope: ExpressionScope
  /** Failures of hooks then say nothing that a hook or an expression may quote. */
  readonly isGated?: boolean
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly emit: (event: Untimed<RunEvent>) => void
  /** Records a step of a hook under a name unique in the run, past any cassette: its call is what a cassette holds. */
  readonly keep: CallContext["step"]
}

/** A value that expressions of hooks read. */
export type Draft = { readonly [field: string]: Json }
