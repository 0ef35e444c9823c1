/** Arguments of one parse. */
import type { RecoveryOptions, Schema } from "./Salvage.ts"

export interface Task {
  readonly text: string
  readonly schema: Schema | undefined
  readonly maxDepth: number
  readonly recovery: RecoveryOptions
  /** Its brackets were completed already. */
  readonly isBalanced?: true
}
