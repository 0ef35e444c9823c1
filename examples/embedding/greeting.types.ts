/** Types of the workflow "greeting", written by `planloom types`. */
export interface Greeting {
  readonly inputs: {
    /** Who to greet. */
    readonly names: ReadonlyArray<string>
  }
  readonly outputs: {
    readonly text: string
  }
}
