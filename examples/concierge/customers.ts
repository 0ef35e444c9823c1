/** Rows that several tools read. Each query of a customer's data names the customer. */
import { ConciergeFailed } from "./ConciergeFailed.ts"
import type { Call } from "./ConciergeTool.ts"
import type { Row } from "./Database.ts"

const DAY_MS = 86_400_000

export const customerOf = ({ customer, database }: Call): Row => {
  const found = database.row("SELECT * FROM customers WHERE id = ?", customer)
  if (found === undefined) {
    throw new ConciergeFailed(
      { en: "There is no account for this user.", es: "No hay una cuenta para este usuario." },
      "invalid_request",
    )
  }
  return found
}

/** Minor units sent in the last 30 days. */
export const sentLately = ({ customer, database, now }: Call): number =>
  Number(
    database.row(
      `SELECT coalesce(sum(quotes.send), 0) AS sent FROM transfers JOIN quotes ON quotes.id = transfers.quote
       WHERE transfers.customer = ? AND transfers.created_at > ?`,
      customer,
      now - 30 * DAY_MS,
    )!["sent"],
  )

export const rateOf = ({ database }: Call, source: string, target: string): Row => {
  const found = database.row("SELECT * FROM rates WHERE source = ? AND target = ?", source, target)
  if (found === undefined) {
    throw new ConciergeFailed({
      en: `There is no rate from ${source} to ${target}.`,
      es: `No hay tipo de cambio de ${source} a ${target}.`,
    })
  }
  return found
}

/** The number of `R-7` or `7`; 0, which no row has, of another text. */
export const idOf = (reference: string): number => {
  const [, digits] = /^(?:[A-Z]-)?(\d{1,12})$/.exec(reference) ?? []
  return Number(digits ?? 0)
}
