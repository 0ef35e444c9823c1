/** Thrown when a project or package is not written, with a message for the user. */

/** `usage`: the request is wrong; `exists`: files are in the way; `unwritten`: the disk refused. */
type Reason = "usage" | "exists" | "unwritten"

export class NotCreated extends Error {
  override readonly name = "NotCreated"
  readonly reason: Reason
  /** How to fix it. */
  readonly help: string | undefined

  constructor(reason: Reason, message: string, help?: string) {
    super(message)
    this.reason = reason
    this.help = help
  }
}
