/** Claims: which words of a request were used, and for what. */

/** Nothing of a request is consumed without a claim that states its use. */
export interface Claim {
  /** Offsets in the text, as of `Word`. */
  readonly start: number
  readonly end: number
  /** The rule's name. */
  readonly by: string
  /** False for an interpretation: a synonym, a corrected typo, a model's word. */
  readonly certain: boolean
  /** A requirement by its id, a tool by its name, or a param of a tool: `toggle_wifi.state`. */
  readonly used: string
}
