/** The config that a project needs for its requests, as planloom.yaml holds it. */
import { AddressGuard } from "../net/AddressGuard.ts"

export interface NeededConfig {
  readonly hosts: ReadonlyArray<URL>
  /** Addresses that are not public. */
  readonly private: ReadonlyArray<string>
}

export const httpConfig = ({ hosts, private: addresses }: NeededConfig): string => {
  const keys = [
    ...(hosts.length === 0 ? [] : [`hosts: ${listOf(hosts.map(hostEntry))}`]),
    ...(addresses.length === 0 ? [] : [`private: ${listOf(addresses)}`]),
  ]
  return `plugins: { "@planloom/tools-http": { ${keys.join(", ")} } }`
}

const listOf = (texts: ReadonlyArray<string>): string =>
  `[${[...new Set(texts)].map((text) => JSON.stringify(text)).join(", ")}]`

/** A host as \`hosts\` lists it. */
const hostEntry = ({ host, protocol }: URL): string =>
  protocol === "https:" ? host : `${protocol}//${host}`

/** The config for these origins, with the private addresses among them. */
export const configForHosts = (hosts: ReadonlyArray<URL>): string => {
  const guard = new AddressGuard([])
  return httpConfig({ hosts, private: hosts.flatMap(({ hostname }) => guard.missing(hostname)) })
}
