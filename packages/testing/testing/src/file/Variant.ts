/** How a workflow is read for a test, or as one variant of an evaluation: as `run` takes it. */
import type { Json } from "@planloom/plugin/effect"
import type { FlagValue } from "@planloom/language"

export interface Variant {
  /** By the path in the workflow: `defaults.model`. */
  readonly set: { readonly [path: string]: Json }
  /** An environment of `planloom.yaml`. */
  readonly env: string | undefined
  readonly flags: { readonly [name: string]: FlagValue }
  /** By the id of a tool source: what it lists. Nothing of the source itself runs. */
  readonly sources?: { readonly [source: string]: Json } | undefined
}
