/** Flags of `planloom dev`. */
import type { InputFlags, ReadingFlags } from "../commands/options.ts"

export interface DevFlags extends InputFlags, ReadingFlags {
  readonly workflow: string
  readonly allowWrites: boolean
  readonly once: boolean
  readonly json: boolean
}
