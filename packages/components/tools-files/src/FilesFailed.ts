/** Why a file cannot be had: one sentence for a person, without paths outside the folder. */
import type { FailureClass } from "@planloom/plugin/effect"

export class FilesFailed extends Error {
  readonly class: FailureClass

  constructor(message: string, kind: FailureClass = "tool_error") {
    super(message)
    this.class = kind
  }
}
