/** An edit of an expression that certainly removes a problem. */

/** The text in place of characters `start` to `end`. */
export interface TextFix {
  readonly start: number
  readonly end: number
  readonly text: string
}
