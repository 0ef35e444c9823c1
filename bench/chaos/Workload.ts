/** What is run while processes are killed: one workflow, and the runs to make of it. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { LoadOptions } from "@planloom/language"

/** A module that exports one as `workload` is given to `victim.ts` by its path. */
export interface Workload {
  readonly file: string
  readonly options: LoadOptions
  readonly runs: { readonly [run: string]: JsonObject }
  /** The session that a run is a turn of; turns of one follow each other in the order of the runs. */
  readonly sessionOf?: (run: string) => string
}
