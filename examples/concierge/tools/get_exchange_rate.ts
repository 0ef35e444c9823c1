/** Gives the rate of a currency, and what an amount becomes. */
import { conciergeTool } from "../ConciergeTool.ts"
import { rateOf } from "../customers.ts"
import { converted, minorUnits, money, RATE_UNIT } from "../money.ts"
import { amount, currency } from "../params.ts"

const HUNDRED_PERCENT = 100

export const get_exchange_rate = conciergeTool({
  name: "get_exchange_rate",
  summary: "Gives the exchange rate from US dollars to a currency.",
  effect: "read",
  params: {
    type: "object",
    additionalProperties: false,
    required: ["to_currency"],
    properties: { to_currency: currency, amount },
  },
  result: {
    type: "object",
    required: ["text", "rate", "from", "to", "at", "favorable"],
    properties: {
      text: { type: "string" },
      rate: { type: "number" },
      from: { type: "string" },
      to: { type: "string" },
      at: { type: "string", description: "the day of the rate" },
      favorable: { type: "boolean", description: "over 1 % better than the average of 30 days" },
      send: { type: "string" },
      receive: { type: "string" },
    },
  },
  run: ({ amount: wanted, to_currency: to }, call) => {
    const { at, average_30_days: average, rate } = rateOf(call, "USD", to)
    const value = Number(rate) / RATE_UNIT
    const known = {
      rate: value,
      from: "USD",
      to,
      at: String(at),
      favorable: Number(rate) * HUNDRED_PERCENT > Number(average) * (HUNDRED_PERCENT + 1),
    }
    const day = { en: `1 USD is ${value} ${to} (${at}).`, es: `1 USD son ${value} ${to} (${at}).` }
    if (wanted === undefined) return { text: day[call.language], ...known }
    const minor = minorUnits(wanted)
    const send = money(minor, "USD")
    const receive = money(converted(minor, Number(rate)), to)
    const text = {
      en: `${day.en} ${send} is ${receive}, before fees.`,
      es: `${day.es} ${send} son ${receive}, antes de comisiones.`,
    }
    return { text: text[call.language], ...known, send, receive }
  },
})
