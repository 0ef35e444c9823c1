/** The variant of an experiment that a run has, and why. */

/** Who has the same variant throughout: a user, a session, or one run. */
export type ExperimentUnit = "user" | "session" | "run"

export interface Assignment {
  readonly variant: string
  readonly unit: ExperimentUnit
  /** `hash`: of the unit. `kept`: from an earlier run. `no_unit`: the run has no such unit, and this is the control. */
  readonly reason: "hash" | "kept" | "no_unit"
}
