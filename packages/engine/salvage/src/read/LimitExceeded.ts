/** Thrown if a text exceeds a limit of the options. */
export class LimitExceeded extends Error {
  override readonly name = "LimitExceeded"
  readonly at: number

  /** `message`: a sentence about the text. */
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}
