/** Refuses addresses that are not public: private, loopback, link-local and all other special ranges. */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns"
import { isIP, type LookupFunction } from "node:net"
import ipaddr from "ipaddr.js"
import { notAllowed, type HttpFailed } from "../HttpFailed.ts"

/** All addresses of a host name. */
export type Resolve = (
  host: string,
  options: LookupOptions & { readonly all: true },
  found: (error: NodeJS.ErrnoException | null, addresses: Array<LookupAddress>) => void,
) => void

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

const rangeOf = (text: string): Range | undefined => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!ipaddr.isValid(text)) return undefined
  const address = ipaddr.parse(text)
  return [address, address.kind() === "ipv4" ? 32 : 128]
}

/** Why a text is not a range of addresses; undefined if it is one. */
export const rangeProblem = (text: string): string | undefined =>
  rangeOf(text) === undefined
    ? `"${text}" is not an address or a range of addresses such as 127.0.0.1 or 10.0.0.0/8`
    : undefined

export class AddressGuard {
  private readonly allowed: ReadonlyArray<Range>
  private readonly resolve: Resolve

  /** `allowed` are the ranges outside the public ones that may be connected to. Throws for a text that is no range. */
  constructor(allowed: ReadonlyArray<string>, resolve: Resolve = systemLookup) {
    this.resolve = resolve
    this.allowed = allowed.map((text) => {
      const range = rangeOf(text)
      if (range === undefined) throw new TypeError(rangeProblem(text))
      return range
    })
  }

  /** Throws for a host that is written as a refused address: no name is looked up for it. */
  checkLiteral(hostname: string): void {
    const text = literal(hostname)
    if (isIP(text) !== 0 && !this.isAllowed(text)) throw refusal(text, text)
  }

  /** The addresses that `private` lacks for a host that is written as an address or as `localhost`; no name is looked up. */
  missing(hostname: string): ReadonlyArray<string> {
    const text = literal(hostname)
    const addresses = isIP(text) === 0 ? (isLocal(text) ? loopback : []) : [text]
    return addresses.some((address) => this.isAllowed(address)) ? [] : addresses
  }

  /**
   * Looks a host name up for a connection, and gives only checked addresses: the connection is made to one of them, so
   * a second look-up cannot bring another address.
   */
  readonly lookup: LookupFunction = (host, options, found) => {
    this.resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return found(error, "")
      const private_ = addresses.find(({ address }) => !this.isAllowed(address))
      if (private_ !== undefined) return found(refusal(host, private_.address), "")
      if (options.all === true) return found(null, addresses)
      const [first] = addresses
      return first === undefined
        ? found(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), "")
        : found(null, first.address, first.family)
    })
  }

  private isAllowed(text: string): boolean {
    if (!ipaddr.isValid(text)) return false
    // An IPv4 address inside an IPv6 one is the IPv4 address.
    const address = ipaddr.process(text)
    return (
      isPublic(address) ||
      this.allowed.some(
        ([base, bits]) => base.kind() === address.kind() && address.match([base, bits] as never),
      )
    )
  }
}

/** Of IPv6, one block is routed on the internet; the library calls all that is not special unicast. */
const globalUnicast = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number]

const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.range() === "unicast" &&
  (address.kind() === "ipv4" || (address as ipaddr.IPv6).match(globalUnicast))

/** A host as a URL holds it, without the brackets of an IPv6 address. */
const literal = (hostname: string): string => hostname.replace(/^\[|\]$/g, "")

/** Names that every resolver keeps on the machine (RFC 6761). */
const isLocal = (name: string): boolean => /(?:^|\.)localhost\.?$/.test(name)

/** Which of the two a resolver gives depends on the machine. */
const loopback = ["127.0.0.1", "::1"]

/** `code` keeps it apart from errors of the look-up. */
const refusal = (host: string, address: string): HttpFailed & { readonly code: string } =>
  Object.assign(
    notAllowed(
      host === address
        ? `${address} is not a public address; declare it under \`private\` of @planloom/tools-http if requests to it are meant`
        : `${host} has the address ${address}, which is not public; declare it under \`private\` of @planloom/tools-http if requests to it are meant`,
    ),
    { code: "EPRIVATE" },
  )
