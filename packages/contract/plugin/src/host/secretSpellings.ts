/** Spellings under which a text may repeat a secret. */

/** Shorter parts would match by chance. */
const MIN_BASE64_CHARS = 6

/**
 * Plain, inside JSON (a key file has quotes and line ends), inside nested JSON, inside a URL, also one encoded twice, with the
 * entities of HTML or the escapes of JSON for what is special or for each character, in hexadecimal and in base64.
 */
export const secretSpellings = (secret: string): ReadonlyArray<string> => {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inUrl = encodeURIComponent(secret.toWellFormed())
  return [
    ...new Set([
      secret,
      inJson,
      JSON.stringify(inJson).slice(1, -1),
      inUrl,
      encodeURIComponent(inUrl),
      ...inEntities(secret),
      ...escaped(secret),
      ...inHex(Buffer.from(secret)),
      ...inBase64(Buffer.from(secret)),
    ]),
  ]
}

/** Names of the characters that programs escape in HTML; some write the quotes as numbers. */
const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
}

const inEntities = (secret: string): ReadonlyArray<string> => {
  const by = (entity: (character: string) => string) => secret.replaceAll(/[&<>"']/g, entity)
  const decimal = (one: string) => `&#${one.codePointAt(0)!};`
  const hex = (one: string) => `&#x${one.codePointAt(0)!.toString(16)};`
  const quotes = (number: (one: string) => string) =>
    by((one) => (one === "'" || one === '"' ? number(one) : entities[one]!))
  const named = by((one) => entities[one]!)
  return [
    named,
    named.replaceAll("&apos;", "'"),
    named.replaceAll("&quot;", '"').replaceAll("&apos;", "'"),
    quotes(decimal),
    quotes(hex),
    named.replaceAll("&apos;", "&#39;"),
    named.replaceAll("&apos;", "&#039;"),
    ...[decimal, hex].map((number) => [...secret].map(number).join("")),
  ]
}

/** `\u0041`: each character, or what is special in HTML or beyond ASCII, in either case of the digits. */
const escaped = (secret: string): ReadonlyArray<string> => {
  const unit = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`
  const inJson = JSON.stringify(secret).slice(1, -1)
  const whole = Array.from({ length: secret.length }, (_, at) => unit(secret[at]!)).join("")
  return [
    whole,
    inJson.replaceAll(/[&<>'+]/g, unit),
    // oxlint-disable-next-line no-control-regex -- the border of ASCII
    inJson.replaceAll(/[^\u0000-\u007f]/g, unit),
  ].flatMap((text) => [text, text.replaceAll(/\\u[\da-f]{4}/g, upperDigits)])
}

const upperDigits = (text: string): string => `\\u${text.slice(2).toUpperCase()}`

const inHex = (secret: Buffer): ReadonlyArray<string> => {
  const hex = secret.toString("hex")
  return [hex, hex.toUpperCase()]
}

/** Encoded alone, and the characters that it decides inside a larger text, at each of three places within a group of bytes. */
const inBase64 = (secret: Buffer): ReadonlyArray<string> => {
  const whole = secret.toString("base64")
  const parts = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), secret])
    return bytes
      .toString("base64")
      .slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
  })
  return [whole, whole.replace(/=+$/, ""), ...parts]
    .filter(({ length }) => length >= MIN_BASE64_CHARS)
    .flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")])
}
