/** Fixes rate and fee of an amount for a quarter of an hour. */
import { conciergeTool, type Call } from "../ConciergeTool.ts"
import { customerOf, rateOf } from "../customers.ts"
import { converted, feeOf, minorUnits, money, RATE_UNIT } from "../money.ts"
import { amount, currency } from "../params.ts"
import type { Row } from "../Database.ts"

const LIFETIME_MS = 15 * 60_000

export const create_quote = conciergeTool({
  name: "create_quote",
  summary: "Makes a quote with rate and fee, valid for 15 minutes. Moves no money.",
  effect: "read",
  idempotent: true,
  params: {
    type: "object",
    additionalProperties: false,
    required: ["to_currency", "amount"],
    // A recipient who is named receives one currency.
    properties: { to_currency: { ...currency, role: "entity:recipient.currency" }, amount },
  },
  result: {
    type: "object",
    required: ["text", "quote", "send", "fee", "total", "receive", "rate", "expires_at"],
    properties: {
      text: { type: "string" },
      quote: { type: "string" },
      send: { type: "string" },
      fee: { type: "string" },
      total: { type: "string" },
      receive: { type: "string" },
      rate: { type: "number" },
      expires_at: { type: "string" },
      promotion: { type: "string" },
    },
  },
  run: ({ amount: wanted, to_currency: to }, call) =>
    call.database.transaction(() => {
      const { database, key, language } = call
      const known = database.row("SELECT * FROM quotes WHERE key = ?", key)
      const quote = known ?? quoted(call, minorUnits(wanted), to)
      const { expires_at: expires, fee, id, promotion, rate, receive, send, target } = quote
      const total = money(Number(send) + Number(fee), "USD")
      const arrives = money(Number(receive), String(target))
      const charged = money(Number(fee), "USD")
      const price = Number(rate) / RATE_UNIT
      const text = {
        en: `Quote Q-${id}: ${arrives} arrive for ${total}, of which ${charged} is the fee, at a rate of ${price} ${target} for 1 USD. It is valid for 15 minutes.`,
        es: `Cotización Q-${id}: llegan ${arrives} por ${total}, de los cuales ${charged} son comisión, al tipo de cambio de ${price} ${target} por 1 USD. Vale 15 minutos.`,
      }
      return {
        text: text[language],
        quote: `Q-${id}`,
        send: money(Number(send), "USD"),
        fee: charged,
        total,
        receive: arrives,
        rate: price,
        expires_at: new Date(Number(expires)).toISOString(),
        ...(promotion === null ? {} : { promotion: String(promotion) }),
      }
    }),
})

const quoted = (call: Call, send: number, to: string): Row => {
  const { customer, database, key, now } = call
  customerOf(call)
  const rate = Number(rateOf(call, "USD", to)["rate"])
  const promotion = database.row(
    "SELECT id, fee_percent_off FROM promotions WHERE target = ? ORDER BY fee_percent_off DESC",
    to,
  )
  const id = database.write(
    `INSERT INTO quotes (customer, key, source, target, send, fee, receive, rate, promotion, expires_at)
     VALUES (?, ?, 'USD', ?, ?, ?, ?, ?, ?, ?)`,
    customer,
    key,
    to,
    send,
    feeOf(send, Number(promotion?.["fee_percent_off"] ?? 0)),
    converted(send, rate),
    rate,
    promotion?.["id"] ?? null,
    now + LIFETIME_MS,
  )
  return database.row("SELECT * FROM quotes WHERE id = ?", id)!
}
