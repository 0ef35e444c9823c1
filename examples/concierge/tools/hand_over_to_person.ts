/** Passes the conversation to a person. */
import { conciergeTool } from "../ConciergeTool.ts"
import { freeText } from "../params.ts"
import { openCase } from "../tickets.ts"

export const hand_over_to_person = conciergeTool({
  name: "hand_over_to_person",
  summary: "Passes the conversation to a person of the service.",
  effect: "write",
  idempotent: true,
  params: {
    type: "object",
    additionalProperties: false,
    required: ["reason"],
    properties: { reason: { ...freeText, description: "for the person, in one sentence" } },
  },
  result: {
    type: "object",
    required: ["text", "ticket"],
    properties: { text: { type: "string" }, ticket: { type: "string" } },
  },
  run: ({ reason }, call) => {
    const ticket = openCase("hand_over", "conversation", reason, call)
    const text = {
      en: `A person takes over (case ${ticket}).`,
      es: `Te atiende una persona (caso ${ticket}).`,
    }
    return { text: text[call.language], ticket }
  },
})
