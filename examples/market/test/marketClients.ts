/** Clients of the protocol for the servers, and what the APIs on this machine know. */
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"

const servers = ["base", "dexscreener", "honeypot"]
export const KEY = "k3y-of-the-explorer"

export const hex = (pair: string, bytes: number) => `0x${pair.repeat(bytes)}`
export const PEPE = hex("a1", 20)
export const LUNA = hex("b2", 20)
export const RUGME = hex("c3", 20)
export const UNKNOWN = hex("99", 20)
export const WETH = "0x4200000000000000000000000000000000000006"
/** The number of the newest block. */
export const NEWEST = 30_000_000

export type Clients = ReadonlyMap<string, Client>

export const clientOf = async (
  server: string,
  environment: { readonly [name: string]: string },
): Promise<Client> => {
  const client = new Client({ name: "test", version: "1.0.0" })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--no-warnings", join(import.meta.dirname, "..", `${server}.ts`)],
    env: { ETHERSCAN_API_KEY: KEY, ...environment },
  })
  await client.connect(transport)
  return client
}

export const startClients = async (environment: {
  readonly [name: string]: string
}): Promise<Clients> =>
  new Map(
    await Promise.all(
      servers.map(async (server) => [server, await clientOf(server, environment)] as const),
    ),
  )

export const closeClients = (clients: Clients) =>
  Promise.all([...clients.values()].map((client) => client.close()))

/** What a tool gives: its text, and its structured value unless it failed. */
export const callTool = async (
  clients: Clients,
  name: string,
  args: { readonly [name: string]: unknown } = {},
) => {
  const [server, tool] = name.split(".") as [string, string]
  const result = await clients.get(server)!.callTool({ name: tool, arguments: { ...args } })
  const [content] = result.content as ReadonlyArray<{ readonly text: string }>
  return {
    isError: result.isError === true,
    text: content!.text,
    value: result.structuredContent as any,
  }
}
