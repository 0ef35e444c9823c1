/** The key in the secret of a webhook: base64 after `whsec_`, as other programs write it, or any other text. */

/** Fewer could be guessed, and the route needs no token. Standard Webhooks asks for as many. */
const MIN_KEY_BYTES = 24

const PREFIX = "whsec_"

const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/

/** A text is the reason why the secret cannot be used; it does not contain the secret. */
export const webhookKey = (secret: string): Uint8Array<ArrayBuffer> | string => {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : undefined
  if (encoded !== undefined && !base64.test(encoded)) {
    return `what follows ${PREFIX} is not valid base64`
  }
  const bytes =
    encoded === undefined
      ? new TextEncoder().encode(secret.trim())
      : Uint8Array.from(Buffer.from(encoded, "base64"))
  return bytes.length < MIN_KEY_BYTES
    ? `it has ${bytes.length} bytes; a key has at least ${MIN_KEY_BYTES}, as of \`openssl rand -base64 32\``
    : bytes
}
