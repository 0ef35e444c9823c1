/** Finds how to reach somebody. */
import { enumerated, listed } from "@planloom/tools-files"
import type { DeviceTool } from "../DeviceTool.ts"
import { readList } from "./readList.ts"

interface Contact {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  readonly phone: string
  readonly email: string
}

const asContact = (value: { readonly [key: string]: unknown }): Contact | undefined => {
  const { aliases, email, name, phone } = value
  return typeof name === "string"
    ? {
        name,
        aliases: Array.isArray(aliases) ? aliases.map(String) : [],
        phone: typeof phone === "string" ? phone : "",
        email: typeof email === "string" ? email : "",
      }
    : undefined
}

const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** 3 the whole name or an alias, 2 all words of a name, 1 beginnings of words; 0 somebody else. */
const answers = ({ aliases, name }: Contact, wanted: string): number => {
  const names = [name, ...aliases].map(folded)
  if (names.includes(wanted)) return 3
  const words = names.flatMap((one) => one.split(" "))
  const asked = wanted.split(" ")
  if (asked.every((word) => words.includes(word))) return 2
  return wanted.length > 2 && asked.every((word) => words.some((one) => one.startsWith(word)))
    ? 1
    : 0
}

const waysTo = ({ email, name, phone }: Contact, field: unknown): string => {
  const ways = [field === "email" ? "" : phone, field === "phone" ? "" : email].filter(
    (way) => way !== "",
  )
  const what = field === "phone" || field === "email" ? field : "phone or email"
  return ways.length === 0 ? `${name} has no ${what}` : `${name}: ${ways.join(", ")}`
}

export const contact_lookup: DeviceTool = {
  tool: listed(
    "contact_lookup",
    "Finds somebody's phone number and email address.",
    "contact_lookup",
    {
      name: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        role: "person",
        description: "who, by name or as the address book calls them",
      },
      field: {
        type: "string",
        enum: ["phone", "email"],
        role: "contact_field",
        description: "only this",
      },
    },
    ["name"],
  ),
  run: async (params, device) => {
    const contacts = await readList("contacts.json", device, asContact)
    const wanted = folded(String(params["name"]))
    const ranked = contacts
      .map((contact) => ({ contact, rank: wanted === "" ? 0 : answers(contact, wanted) }))
      .filter(({ rank }) => rank > 0)
    const best = Math.max(0, ...ranked.map(({ rank }) => rank))
    const found = ranked.filter(({ rank }) => rank === best).map(({ contact }) => contact)
    return {
      text:
        found.length === 0
          ? `Nobody called ${String(params["name"])} is in the address book.`
          : `${enumerated(found.map((contact) => waysTo(contact, params["field"])))}.`,
      contacts: found.slice(0, 20).map(({ aliases: _, ...contact }) => contact),
    }
  },
}
