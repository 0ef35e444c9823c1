/** Arguments of one parse. */
import type { RecoveryOptions, Schema } from "./Salvage.ts"

export interface Limits {
  readonly maxDepth: number
  readonly maxRepairs: number
}

export interface Task {
  readonly text: string
  readonly schema: Schema | undefined
  readonly limits: Limits
  readonly recovery: RecoveryOptions
  /** Its brackets were completed already. */
  readonly isBalanced?: true
}
