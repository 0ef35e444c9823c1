/** The variant of an experiment that a run has, and why. */

/** Who has the same variant throughout: a user, a session, or one run. */
export type ExperimentUnit = "user" | "session" | "run"

export interface Assignment {
  readonly variant: string
  readonly unit: ExperimentUnit
  /**
   * `hash`: of the unit. `kept`: from an earlier run. `forced`: the experiment names the unit. Outside the experiment,
   * with the control: `no_unit` for a run without such a unit, `ramp` and `namespace` for a unit outside their shares.
   */
  readonly reason: "hash" | "kept" | "forced" | "no_unit" | "ramp" | "namespace"
}
