/** Where something is shown, and what is shown after its review. */
import type { Json } from "@planloom/plugin/effect"
import type { Frame } from "../Frame.ts"

export interface ShownSite {
  readonly frame: Frame
  /** Of the review in the record. */
  readonly name: string
  /** Of the stage that shows it; that of the writer unless given. */
  readonly path?: string
}

export interface Shown<A extends Json> {
  /** The same value if nothing was changed. */
  readonly value: A
  /** Whether the text for a blocked one stands somewhere in it. */
  readonly isBlocked: boolean
}
