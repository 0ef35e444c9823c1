/** Opens a ticket that a person answers later. */
import { conciergeTool } from "../ConciergeTool.ts"
import { freeText, reference } from "../params.ts"
import { openCase } from "../tickets.ts"

export const open_ticket = conciergeTool({
  name: "open_ticket",
  summary: "Opens a ticket that a person answers by email.",
  effect: "write",
  idempotent: true,
  params: {
    type: "object",
    additionalProperties: false,
    required: ["topic", "summary"],
    properties: {
      topic: { ...reference, description: "a few words" },
      summary: { ...freeText, description: "the problem, in one or two sentences" },
    },
  },
  result: {
    type: "object",
    required: ["text", "ticket"],
    properties: { text: { type: "string" }, ticket: { type: "string" } },
  },
  run: ({ summary, topic }, call) => {
    const ticket = openCase("ticket", topic, summary, call)
    const text = {
      en: `Ticket ${ticket} is open; a person answers by email.`,
      es: `El caso ${ticket} está abierto; una persona responde por correo.`,
    }
    return { text: text[call.language], ticket }
  },
})
