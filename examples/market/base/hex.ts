/** Values of the JSON-RPC API and of contracts, which are written as hexadecimal text. */

/** Undefined unless it is a quantity such as `0x1f4`. */
export const quantityOf = (value: unknown): bigint | undefined =>
  typeof value === "string" && /^0x[0-9a-f]+$/i.test(value) ? BigInt(value) : undefined

export const quantity = (value: bigint): string => `0x${value.toString(16)}`

/** An address as a word of 32 bytes: in topics, and in results of calls. */
export const wordOf = (address: string): string =>
  `0x${address.slice(2).toLowerCase().padStart(64, "0")}`

/** The address in the last 20 bytes of a word. */
export const addressOf = (word: unknown): string | undefined =>
  typeof word === "string" && /^0x[0-9a-f]{64}$/i.test(word)
    ? `0x${word.slice(-40).toLowerCase()}`
    : undefined

/** A text as the contract ABI encodes it: with its place and length, or as 32 bytes in some old tokens. */
export const textOfData = (data: unknown): string | undefined => {
  if (typeof data !== "string" || !/^0x(?:[0-9a-f]{2})+$/i.test(data)) return undefined
  const bytes = Buffer.from(data.slice(2), "hex")
  const text = bytes.length === 32 ? bytes : dynamicText(bytes)
  return text?.toString("utf8").replaceAll("\0", "").trim()
}

const dynamicText = (bytes: Buffer): Buffer | undefined => {
  if (bytes.length < 64) return undefined
  const start = Number(bytes.readBigUInt64BE(24)) + 32
  if (start > bytes.length) return undefined
  const end = start + Number(bytes.readBigUInt64BE(start - 8))
  return end > bytes.length ? undefined : bytes.subarray(start, end)
}
