/** Lists the people whom the customer can send money. */
import { conciergeTool } from "../ConciergeTool.ts"
import { customerOf } from "../customers.ts"
import { recipientsOf, shown } from "../recipients.ts"

export const list_recipients = conciergeTool({
  name: "list_recipients",
  summary: "Lists the customer's saved recipients.",
  effect: "read",
  params: { type: "object", additionalProperties: false, properties: {} },
  result: {
    type: "object",
    required: ["text", "recipients"],
    properties: {
      text: { type: "string" },
      recipients: {
        type: "array",
        items: {
          type: "object",
          required: ["id", "name", "country", "currency", "account"],
          properties: {
            id: { type: "string" },
            name: { type: "string" },
            country: { type: "string" },
            currency: { type: "string" },
            account: { type: "string", description: "its last characters" },
          },
        },
      },
    },
  },
  run: (_, call) => {
    customerOf(call)
    const recipients = recipientsOf(call).map(shown)
    const names = recipients.map(({ currency, id, name }) => `${name} (${id}, ${currency})`)
    const text =
      names.length === 0
        ? { en: "You have no recipients yet.", es: "Aún no tienes destinatarios." }
        : {
            en: `Your recipients: ${names.join(", ")}.`,
            es: `Tus destinatarios: ${names.join(", ")}.`,
          }
    return { text: text[call.language], recipients }
  },
})
