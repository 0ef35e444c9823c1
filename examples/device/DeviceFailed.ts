/** Why the device cannot do what it was asked: one sentence for a person. */
import type { FailureClass } from "@planloom/plugin/effect"

export class DeviceFailed extends Error {
  readonly class: FailureClass

  constructor(message: string, kind: FailureClass = "tool_error") {
    super(message)
    this.class = kind
  }
}
