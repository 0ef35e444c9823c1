/** Sends the money of a quote to a recipient, once. */
import { ConciergeFailed } from "../ConciergeFailed.ts"
import { conciergeTool, type Call } from "../ConciergeTool.ts"
import { customerOf, idOf, sentLately } from "../customers.ts"
import type { Row } from "../Database.ts"
import { money } from "../money.ts"
import { reference } from "../params.ts"
import { recipientOf, shown } from "../recipients.ts"

export const create_transfer = conciergeTool({
  name: "create_transfer",
  summary: "Sends the money of a quote to a recipient of the customer.",
  effect: "write",
  // A quote pays for one transfer.
  idempotent: true,
  needs_approval: true,
  params: {
    type: "object",
    additionalProperties: false,
    required: ["quote", "recipient"],
    properties: {
      quote: { ...reference, role: "entity:quote", description: "the quote, such as Q-12" },
      recipient: {
        ...reference,
        role: "entity:recipient.name",
        description: "the recipient, such as R-3, or the whole name",
      },
    },
  },
  result: {
    type: "object",
    required: ["text", "transfer", "recipient", "total", "receive", "repeated"],
    properties: {
      text: { type: "string" },
      transfer: { type: "string" },
      recipient: { type: "string" },
      total: { type: "string" },
      receive: { type: "string" },
      repeated: { type: "boolean", description: "the transfer had been made before" },
    },
  },
  approval_fields: {
    type: "object",
    required: ["amount", "fee", "total", "receive", "recipient", "account"],
    additionalProperties: false,
    properties: {
      amount: { type: "string" },
      fee: { type: "string" },
      total: { type: "string" },
      receive: { type: "string" },
      recipient: { type: "string" },
      account: { type: "string", description: "the end of the account" },
    },
  },
  preview: ({ quote, recipient }, call) =>
    call.database.transaction(() => {
      const { paid, to } = checked(quote, recipient, call)
      const { account, name } = shown(to)
      return {
        amount: money(Number(paid["send"]), "USD"),
        fee: money(Number(paid["fee"]), "USD"),
        total: totalOf(paid),
        receive: money(Number(paid["receive"]), String(paid["target"])),
        recipient: name,
        account,
      }
    }),
  run: ({ quote, recipient }, call) =>
    call.database.transaction(() => {
      const { made, paid, to } = checked(quote, recipient, call)
      const id = made === undefined ? insert(paid, to, call) : Number(made["id"])
      const receive = money(Number(paid["receive"]), String(paid["target"]))
      const name = String(to["name"])
      const text = {
        en: `Transfer T-${id}: ${receive} are on the way to ${name}. You can cancel it within 30 minutes.`,
        es: `Envío T-${id}: ${receive} van en camino a ${name}. Puedes cancelarlo en los próximos 30 minutos.`,
      }
      return {
        text: text[call.language],
        transfer: `T-${id}`,
        recipient: name,
        total: totalOf(paid),
        receive,
        repeated: made !== undefined,
      }
    }),
})

const quoteOf = (quote: string, { customer, database }: Call): Row => {
  const found = database.row(
    "SELECT * FROM quotes WHERE id = ? AND customer = ?",
    idOf(quote),
    customer,
  )
  if (found !== undefined) return found
  throw new ConciergeFailed({
    en: "There is no such quote; ask for a new one.",
    es: "Esa cotización no existe; pide una nueva.",
  })
}

/** What is paid and to whom; a double submit also has the transfer that was made. Throws unless it may be paid. */
const checked = (quote: string, recipient: string, call: Call) => {
  const limit = Number(customerOf(call)["monthly_limit"])
  const paid = quoteOf(quote, call)
  const to = recipientOf(recipient, call)
  const made = call.database.row("SELECT * FROM transfers WHERE quote = ?", paid["id"]!)
  if (made === undefined) requirePayable(paid, to, limit, call)
  else requireSameRecipient(made, to)
  return { made, paid, to }
}

/** A quote never pays a second recipient. */
const requireSameRecipient = (made: Row, to: Row): void => {
  if (made["recipient"] === to["id"]) return
  throw new ConciergeFailed({
    en: "This quote has paid another transfer; ask for a new quote.",
    es: "Esta cotización ya pagó otro envío; pide una nueva.",
  })
}

const requirePayable = (quote: Row, to: Row, limit: number, call: Call): void => {
  if (Number(quote["expires_at"]) <= call.now) {
    throw new ConciergeFailed({
      en: "The quote has expired; ask for a new one.",
      es: "La cotización venció; pide una nueva.",
    })
  }
  if (quote["target"] !== to["currency"]) {
    throw new ConciergeFailed({
      en: `The quote is in ${quote["target"]}, and the recipient receives ${to["currency"]}.`,
      es: `La cotización es en ${quote["target"]}, y el destinatario recibe ${to["currency"]}.`,
    })
  }
  const left = limit - sentLately(call)
  if (Number(quote["send"]) > left) {
    throw new ConciergeFailed({
      en: `The transfer is over the monthly limit; ${money(left, "USD")} are left.`,
      es: `El envío supera el límite mensual; quedan ${money(left, "USD")}.`,
    })
  }
}

const insert = (quote: Row, to: Row, { customer, database, now }: Call): number =>
  database.write(
    "INSERT INTO transfers (customer, quote, recipient, created_at) VALUES (?, ?, ?, ?)",
    customer,
    quote["id"]!,
    to["id"]!,
    now,
  )

const totalOf = (quote: Row): string => money(Number(quote["send"]) + Number(quote["fee"]), "USD")
