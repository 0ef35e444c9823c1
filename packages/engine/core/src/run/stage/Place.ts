/** A place in a run: the component whose code executes, and its stage. */

export interface Place {
  /** Path of the stage's occurrence. */
  readonly path: string
  readonly stage: string
  /** The stage kind with its plugin, or the tool that the stage calls with its source: `acme/charge`, `shop/find_order`. */
  readonly component: string
}
