/** A provider's API key: the name of its secret, its value, and the message if it is missing. */
import * as Effect from "effect/Effect"
import type { Host } from "@planloom/plugin/effect"

export interface SecretKey {
  /** The name of the secret. */
  readonly name: string
  readonly value: string | undefined
  /** The workflow names the secret, and its value is empty. */
  readonly isEmpty?: true
  /** The secret has characters that no header can carry, so no request is sent with it. */
  readonly isUnsendable?: true
  /** The reason why it is not sent to its address, in one sentence. */
  readonly refusal?: string
}

/** A host that has decided which keys go to which addresses. */
export interface KeyHost extends Host {
  /** Reasons by name of the secret and address. */
  readonly withheld?: ReadonlyMap<string, string>
}

const pairOf = (name: string, address: string): string => `${name} ${address}`

/** `address` is the base URL that requests with the key go to. */
export const secretKey = (name: string, host: KeyHost, address = ""): SecretKey => {
  const refusal = host.withheld?.get(pairOf(name, address))
  if (refusal !== undefined) return { name, value: undefined, refusal }
  const value = host.secret(name)
  if (value === undefined) return { name, value }
  if (value.trim() === "") return { name, value: undefined, isEmpty: true }
  return headerSafe.test(value.trim())
    ? { name, value }
    : { name, value: undefined, isUnsendable: true }
}

/** A key, the base URL that a config gives, and that of its service. */
export interface KeyAddress {
  readonly name: string | undefined
  readonly given: string | undefined
  readonly usual: string | undefined
}

/** Asks the host whether keys may go to addresses other than the usual ones. */
export const guardKeys = (host: Host, keys: ReadonlyArray<KeyAddress>): Effect.Effect<KeyHost> =>
  Effect.gen(function* () {
    const { maySend } = host
    if (maySend === undefined) return host
    const withheld = new Map<string, string>()
    for (const { given, name, usual } of keys) {
      if (name === undefined || given === undefined || originOf(given) === originOf(usual)) continue
      const value = host.secret(name)
      if (value === undefined || value === "") continue
      const refusal = yield* Effect.promise(() => maySend({ secret: name, to: originOf(given) }))
      if (refusal !== undefined) withheld.set(pairOf(name, given), refusal)
    }
    return { ...host, withheld }
  })

const originOf = (address: string | undefined): string =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : (address ?? "")

/** Visible ASCII; copied keys may include line ends, curly quotes and dashes. */
const headerSafe = /^[\x21-\x7e]+$/

/** How to fix a missing or unsendable key, as one sentence. */
export const missingKeyMessage = ({ isEmpty, isUnsendable, name, refusal }: SecretKey): string => {
  if (isEmpty === true) return `the key in ${name} is empty: set it in .env or in the environment`
  if (refusal !== undefined) return `the key in ${name} is not sent: ${refusal}`
  return isUnsendable === true
    ? `the key in ${name} cannot be sent: it holds blanks, line ends or characters that are not ASCII, such as curly quotes; copy it again`
    : `there is no key: name ${name} under secrets: in the workflow and set it in the environment`
}
