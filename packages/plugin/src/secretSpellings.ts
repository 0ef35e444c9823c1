/** Spellings under which a text may repeat a secret. */

/** Shorter parts would match by chance. */
const MIN_BASE64_CHARS = 6

/** Plain, inside JSON (a key file has quotes and line ends), inside nested JSON, inside a URL, and in base64. */
export const secretSpellings = (secret: string): ReadonlyArray<string> => {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inUrl = encodeURIComponent(secret.toWellFormed())
  return [
    ...new Set([
      secret,
      inJson,
      JSON.stringify(inJson).slice(1, -1),
      inUrl,
      ...inBase64(Buffer.from(secret)),
    ]),
  ]
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
