/** Texts without the secrets that a server was given, in any spelling. */
import { secretSpellings } from "@planloom/plugin/effect"
import { isCommand, type Server } from "../servers/Server.ts"

/** Shorter texts would match by chance. */
const MIN_SECRET_CHARS = 4
const HIDDEN = "[secret]"

export type Hide = (text: string) => string

export const hidingSecrets = (
  { reach }: Server,
  secret: (name: string) => string | undefined,
): Hide => {
  const given = isCommand(reach)
    ? Object.values(reach.env)
    : [...Object.values(reach.headers), reach.oauth?.client_secret ?? ""]
  const values = given
    .flatMap((value) =>
      typeof value === "object" && "secret" in value ? [secret(value.secret)] : [],
    )
    .filter((value) => value !== undefined)
  return hidingValues(values)
}

/** In any spelling. */
export const hidingValues = (values: ReadonlyArray<string>): Hide => {
  const spellings = values
    .filter(({ length }) => length >= MIN_SECRET_CHARS)
    .flatMap((value) => secretSpellings(value))
    .toSorted((a, b) => b.length - a.length)
  if (spellings.length === 0) return (text) => text
  return (text) => spellings.reduce((shown, one) => shown.replaceAll(one, HIDDEN), text)
}
