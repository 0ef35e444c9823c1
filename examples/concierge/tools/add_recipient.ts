/** Saves a new recipient. */
import { ConciergeFailed } from "../ConciergeFailed.ts"
import { conciergeTool } from "../ConciergeTool.ts"
import { customerOf } from "../customers.ts"
import { currency, reference } from "../params.ts"
import { shown } from "../recipients.ts"

/** Weights of the digits of a CLABE, whose last one checks the others. */
const WEIGHTS = [3, 7, 1]

const isClabe = (account: string): boolean =>
  /^\d{18}$/.test(account) &&
  Array.from(account.slice(0, -1)).reduce(
    (sum, digit, at) => sum + ((Number(digit) * WEIGHTS[at % 3]!) % 10),
    Number(account.at(-1)),
  ) %
    10 ===
    0

export const add_recipient = conciergeTool({
  name: "add_recipient",
  summary: "Saves a new recipient of the customer.",
  effect: "write",
  // An account is saved once.
  idempotent: true,
  params: {
    type: "object",
    additionalProperties: false,
    required: ["name", "country", "currency", "account"],
    properties: {
      name: { ...reference, description: "the whole name" },
      country: { type: "string", pattern: "^[A-Z]{2}$", description: "two letters, such as MX" },
      currency,
      account: {
        type: "string",
        pattern: "^[A-Z0-9]{6,34}$",
        description: "account number, CLABE or IBAN without spaces",
      },
    },
  },
  result: {
    type: "object",
    required: ["text", "recipient", "name"],
    properties: {
      text: { type: "string" },
      recipient: { type: "string" },
      name: { type: "string" },
    },
  },
  run: ({ account, country, currency: receives, name }, call) =>
    call.database.transaction(() => {
      const { customer, database, language } = call
      customerOf(call)
      if (receives === "MXN" && !isClabe(account)) {
        throw new ConciergeFailed({
          en: "An account in Mexico is a CLABE of 18 digits, and this number is none; please check it.",
          es: "Una cuenta en México es una CLABE de 18 dígitos, y este número no lo es; revísalo, por favor.",
        })
      }
      const known = database.row(
        "SELECT * FROM recipients WHERE customer = ? AND account = ?",
        customer,
        account,
      )
      if (known !== undefined && known["name"] !== name) {
        throw new ConciergeFailed({
          en: `This account is saved for ${String(known["name"])}.`,
          es: `Esta cuenta está guardada para ${String(known["name"])}.`,
        })
      }
      const id =
        known?.["id"] ??
        database.write(
          "INSERT INTO recipients (customer, name, country, currency, account) VALUES (?, ?, ?, ?, ?)",
          customer,
          name,
          country,
          receives,
          account,
        )
      const saved = shown({ id, name, country, currency: receives, account })
      const text = {
        en: `${saved.name} is saved as ${saved.id} (account ${saved.account}).`,
        es: `${saved.name} quedó como ${saved.id} (cuenta ${saved.account}).`,
      }
      return { text: text[language], recipient: saved.id, name: saved.name }
    }),
})
