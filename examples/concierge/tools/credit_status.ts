/** Gives the limits of the customer and what is left of them. */
import { conciergeTool } from "../ConciergeTool.ts"
import { customerOf, sentLately } from "../customers.ts"
import { money } from "../money.ts"

export const credit_status = conciergeTool({
  name: "credit_status",
  summary: "Gives the customer's monthly limit, credit line and what is left of both.",
  effect: "read",
  params: { type: "object", additionalProperties: false, properties: {} },
  result: {
    type: "object",
    required: ["text", "monthly_limit", "monthly_left", "credit_limit", "credit_left"],
    properties: {
      text: { type: "string" },
      monthly_limit: { type: "string" },
      monthly_left: { type: "string" },
      credit_limit: { type: "string" },
      credit_left: { type: "string" },
    },
  },
  run: (_, call) => {
    const row = customerOf(call)
    const limit = Number(row["monthly_limit"])
    const credit = Number(row["credit_limit"])
    const status = {
      monthly_limit: money(limit, "USD"),
      monthly_left: money(limit - sentLately(call), "USD"),
      credit_limit: money(credit, "USD"),
      credit_left: money(credit - Number(row["credit_used"]), "USD"),
    }
    const { credit_left: line, monthly_left: left } = status
    const text = {
      en: `You can send ${left} more this month (limit ${status.monthly_limit}). Your credit line has ${line} left of ${status.credit_limit}.`,
      es: `Puedes enviar ${left} más este mes (límite ${status.monthly_limit}). De tu línea de crédito quedan ${line} de ${status.credit_limit}.`,
    }
    return { text: text[call.language], ...status }
  },
})
