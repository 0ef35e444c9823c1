/** Recipients of a customer, by reference or name. */
import { ConciergeFailed } from "./ConciergeFailed.ts"
import type { Call } from "./ConciergeTool.ts"
import { idOf } from "./customers.ts"
import type { Row } from "./Database.ts"

const folded = (name: string): string =>
  name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().trim()

export const recipientsOf = ({ customer, database }: Call): ReadonlyArray<Row> =>
  database.rows("SELECT * FROM recipients WHERE customer = ? ORDER BY id", customer)

/** The recipient of a reference such as `R-3` or of a whole name. A name that two have is no reference. */
export const recipientOf = (given: string, call: Call): Row => {
  const all = recipientsOf(call)
  const id = idOf(given)
  const found = all.filter(
    (one) => one["id"] === id || folded(String(one["name"])) === folded(given),
  )
  if (found.length === 1) return found[0]!
  throw new ConciergeFailed(
    found.length === 0
      ? { en: "There is no such recipient.", es: "Ese destinatario no existe." }
      : {
          en: "Several recipients have this name; give the reference.",
          es: "Varios destinatarios tienen ese nombre; indica la referencia.",
        },
  )
}

/** What a customer is shown of a recipient: of the account only its end. */
export const shown = ({ account, country, currency, id, name }: Row) => ({
  id: `R-${id}`,
  name: String(name),
  country: String(country),
  currency: String(currency),
  account: `…${String(account).slice(-4)}`,
})
