/** A provider's API key: the name of its secret, its value, and the message if it is missing. */
import type { Host } from "@planloom/plugin/effect"

export interface SecretKey {
  /** The name of the secret. */
  readonly name: string
  readonly value: string | undefined
  /** The secret has characters that no header can carry, so no request is sent with it. */
  readonly isUnsendable?: true
}

export const secretKey = (name: string, host: Host): SecretKey => {
  const value = host.secret(name)
  if (value === undefined || value.trim() === "") return { name, value: undefined }
  return headerSafe.test(value.trim())
    ? { name, value }
    : { name, value: undefined, isUnsendable: true }
}

/** Visible ASCII; copied keys may include line ends, curly quotes and dashes. */
const headerSafe = /^[\x21-\x7e]+$/

/** How to fix a missing or unsendable key, as one sentence. */
export const missingKeyMessage = ({ isUnsendable, name }: SecretKey): string =>
  isUnsendable === true
    ? `the key in ${name} cannot be sent: it holds blanks, line ends or characters that are not ASCII, such as curly quotes; copy it again`
    : `there is no key: name ${name} under secrets: in the workflow and set it in the environment`
