/** Thrown if values nest deeper than `maxDepth`. */
export class TooDeep extends Error {
  override readonly name = "TooDeep"
  readonly at: number

  constructor(at: number) {
    super("the text nests deeper than allowed")
    this.at = at
  }
}
