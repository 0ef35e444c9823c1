/** Files a request for a higher monthly limit; a person decides on it. */
import { ConciergeFailed } from "../ConciergeFailed.ts"
import { conciergeTool } from "../ConciergeTool.ts"
import { customerOf } from "../customers.ts"
import { minorUnits, money } from "../money.ts"
import { amount, freeText } from "../params.ts"

export const request_limit_increase = conciergeTool({
  name: "request_limit_increase",
  summary: "Files a request for a higher monthly limit. A person decides on it.",
  effect: "write",
  idempotent: true,
  params: {
    type: "object",
    additionalProperties: false,
    required: ["monthly_limit"],
    properties: {
      monthly_limit: { ...amount, description: "the limit that the customer wants, in US dollars" },
      reason: freeText,
    },
  },
  result: {
    type: "object",
    required: ["text", "request"],
    properties: { text: { type: "string" }, request: { type: "string" } },
  },
  run: ({ monthly_limit: wanted, reason }, call) =>
    call.database.transaction(() => {
      const { customer, database, key, language } = call
      const limit = Number(customerOf(call)["monthly_limit"])
      const minor = minorUnits(wanted)
      if (minor <= limit) {
        throw new ConciergeFailed({
          en: `Your limit is ${money(limit, "USD")} already.`,
          es: `Tu límite ya es de ${money(limit, "USD")}.`,
        })
      }
      const known = database.row("SELECT id FROM limit_requests WHERE key = ?", key)
      const id =
        known?.["id"] ??
        database.write(
          "INSERT INTO limit_requests (customer, key, monthly_limit, reason) VALUES (?, ?, ?, ?)",
          customer,
          key,
          minor,
          reason ?? "",
        )
      const text = {
        en: `Your request L-${id} for a limit of ${money(minor, "USD")} is filed; a person decides within two days.`,
        es: `Tu solicitud L-${id} de un límite de ${money(minor, "USD")} está registrada; una persona decide en dos días.`,
      }
      return { text: text[language], request: `L-${id}` }
    }),
})
