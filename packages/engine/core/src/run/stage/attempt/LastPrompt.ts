/** The prompt that a question has assembled last: whether it asks for reasoning in tags. */
import type { Ask } from "@planloom/plugin/effect"
import { bare, type AssembledPrompt } from "@planloom/prompt"
import { asksForReasoning } from "../../../reply/ReplySite.ts"

const none: Ask["messages"] = []

export class LastPrompt {
  sections: AssembledPrompt["sections"] = bare.sections
  messages: Ask["messages"] = none

  /** Whether it asks for reasoning in tags; read only for a reply without any. */
  asksReasoning(): boolean {
    return (
      this.sections.some(({ text }) => asksForReasoning(text)) ||
      this.messages.some(
        ({ content, role }) =>
          role === "user" && typeof content === "string" && asksForReasoning(content),
      )
    )
  }
}
