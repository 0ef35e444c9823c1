/** The reason why a request cannot be served: one sentence for the customer, in each language. */
import type { FailureClass } from "@planloom/plugin/effect"
import type { Sentence } from "./ConciergeTool.ts"

export class ConciergeFailed extends Error {
  readonly class: FailureClass
  readonly sentence: Sentence

  constructor(sentence: Sentence, kind: FailureClass = "tool_error") {
    super(sentence.en)
    this.sentence = sentence
    this.class = kind
  }
}
