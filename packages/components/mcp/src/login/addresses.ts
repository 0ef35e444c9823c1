/** Addresses of the network: which of them requests for a login may go to. */
import { lookup } from "node:dns/promises"
import { BlockList, isIP } from "node:net"

const subnets = (text: string): BlockList => {
  const list = new BlockList()
  for (const range of text.trim().split(/\s+/)) {
    const [base = "", bits] = range.split("/")
    list.addSubnet(base, Number(bits), isIP(base) === 6 ? "ipv6" : "ipv4")
  }
  return list
}

/** Nothing that a person runs has such an address: link-local, among them the metadata services of clouds; unspecified; multicast. */
const never = subnets(
  "0.0.0.0/8 169.254.0.0/16 224.0.0.0/4 240.0.0.0/4 ::/128 fe80::/10 ff00::/8 fd00:ec2::/32",
)
/** Loopback, private networks, and the ranges for documentation, benchmarks and translation. */
const special = subnets(
  "10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 ::1/128 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fec0::/10",
)

const isIn = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")

/** Whether requests may go to an address. `private` allows those of this machine and of private networks. */
export const mayReach = (address: string, allowsPrivate: boolean): boolean =>
  isIP(address) !== 0 && !isIn(never, address) && (allowsPrivate || !isIn(special, address))

/** A host name of a URL without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "")

/** Whether a host is on this machine or in a private network. False for an unknown one. */
export const isPrivateHost = async (url: URL): Promise<boolean> => {
  const found = await lookup(hostOf(url), { all: true }).catch(() => [])
  return found.some(({ address }) => !mayReach(address, false) && mayReach(address, true))
}

/** Whether what is sent there cannot be read on the way: by TLS, or because it stays on this machine. */
export const isConfidential = (url: URL): boolean =>
  url.protocol === "https:" || (url.protocol === "http:" && isLoopbackName(hostOf(url)))

const isLoopbackName = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))
