/** Gives the state of one transfer, or of the last ones. */
import { ConciergeFailed } from "../ConciergeFailed.ts"
import { conciergeTool } from "../ConciergeTool.ts"
import { customerOf, idOf } from "../customers.ts"
import { money } from "../money.ts"

/** Time until the recipient has the money. */
const ARRIVES_AFTER_MS = 2 * 3_600_000

export const transfer_status = conciergeTool({
  name: "transfer_status",
  summary: "Gives the state of a transfer, or of the last five.",
  effect: "read",
  params: {
    type: "object",
    additionalProperties: false,
    properties: {
      transfer: {
        type: "string",
        pattern: "^T-\\d{1,12}$",
        description: "the transfer, such as T-7",
      },
    },
  },
  result: {
    type: "object",
    required: ["text", "transfers"],
    properties: {
      text: { type: "string" },
      transfers: {
        type: "array",
        items: {
          type: "object",
          required: ["id", "recipient", "receive", "status"],
          properties: {
            id: { type: "string" },
            recipient: { type: "string" },
            receive: { type: "string" },
            status: { enum: ["processing", "paid_out"] },
          },
        },
      },
    },
  },
  run: ({ transfer }, call) => {
    const { customer, database, language, now } = call
    customerOf(call)
    const rows = database.rows(
      `SELECT transfers.id, recipients.name, quotes.receive, quotes.target, transfers.created_at
       FROM transfers JOIN quotes ON quotes.id = transfers.quote JOIN recipients ON recipients.id = transfers.recipient
       WHERE transfers.customer = ? AND (? IS NULL OR transfers.id = ?) ORDER BY transfers.id DESC LIMIT 5`,
      customer,
      transfer ?? null,
      idOf(transfer ?? ""),
    )
    if (transfer !== undefined && rows.length === 0) {
      throw new ConciergeFailed({ en: "There is no such transfer.", es: "Ese envío no existe." })
    }
    const transfers = rows.map((row) => {
      const isPaid = Number(row["created_at"]) + ARRIVES_AFTER_MS <= now
      return {
        id: `T-${row["id"]}`,
        recipient: String(row["name"]),
        receive: money(Number(row["receive"]), String(row["target"])),
        status: isPaid ? ("paid_out" as const) : ("processing" as const),
      }
    })
    const words = {
      en: { processing: "on the way", paid_out: "paid out", none: "You have no transfers yet." },
      es: { processing: "en camino", paid_out: "pagado", none: "Aún no tienes envíos." },
    }[language]
    const lines = transfers.map(
      ({ id, receive, recipient, status }) => `${id}, ${receive}, ${recipient}: ${words[status]}.`,
    )
    return { text: lines.length === 0 ? words.none : lines.join(" "), transfers }
  },
})
