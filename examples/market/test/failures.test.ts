/** The servers while a public API fails: each call gets the reason, and the server lives on. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { MarketFixture, type Service } from "../fixture/MarketFixture.ts"
import {
  callTool,
  clientOf,
  closeClients,
  hex,
  KEY,
  PEPE,
  startClients,
  type Clients,
} from "./marketClients.ts"

let market: MarketFixture
let clients: Clients

beforeAll(async () => {
  market = await MarketFixture.start()
  clients = await startClients(market.environment)
})
afterEach(() => market.instead.clear())
afterAll(async () => {
  await closeClients(clients)
  await market.stop()
})

const failing: ReadonlyArray<
  readonly [string, Service, string, { readonly [name: string]: unknown }]
> = [
  ["base.getDexRouterActivity", "rpc", "the node of Base", { router: "uniswap_v3" }],
  ["base.getTransactionByHash", "rpc", "the node of Base", { hash: hex("14", 32) }],
  ["base.getContractABI", "explorer", "the block explorer", { address: PEPE }],
  ["base.resolveToken", "rpc", "the node of Base", { address: PEPE }],
  ["dexscreener.searchPairs", "dexscreener", "dexscreener", { query: "PEPE" }],
  [
    "dexscreener.getPairsByToken",
    "dexscreener",
    "dexscreener",
    { tokenAddress: PEPE, chainId: "base" },
  ],
  [
    "dexscreener.getPairByAddress",
    "dexscreener",
    "dexscreener",
    { pairAddress: PEPE, chainId: "base" },
  ],
  [
    "dexscreener.getTokenOverview",
    "dexscreener",
    "dexscreener",
    { tokenAddress: PEPE, chainId: "base" },
  ],
  ["honeypot.check_token", "honeypot", "honeypot.is", { address: PEPE, chainId: 8453 }],
]

describe.each(failing)("%s, when its API fails", (tool, service, api, params) => {
  it.each([
    [
      "has too many requests",
      { status: 429, body: "slow down" },
      "has too many requests (429): try again later",
    ],
    [
      "breaks",
      { status: 503, body: { message: "down for repair" } },
      "failed with status 503: down for repair",
    ],
    ["gives malformed JSON", { status: 200, body: '{"pairs": [' }, "gave no JSON"],
    ["gives a page", { status: 502, body: "<html>Bad gateway</html>" }, "failed with status 502"],
  ] as const)("reports an API that %s", async (_, reply, reason) => {
    market.instead.set(service, reply)
    expect(await callTool(clients, tool, params)).toMatchObject({
      isError: true,
      text: `${api} ${reason}`,
    })
  })
})

it("an API that is gone is a tool error, and the server lives on", async () => {
  const gone = await MarketFixture.start()
  const client = await clientOf("honeypot", gone.environment)
  await gone.stop()
  const ask = () => client.callTool({ name: "check_token", arguments: { address: PEPE } })
  for (const result of [await ask(), await ask()]) {
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: "honeypot.is cannot be reached (ECONNREFUSED)" }],
    })
  }
  await client.close()
})

it("an API that does not answer in time is a tool error", async () => {
  const hasty = await startClients({ ...market.environment, MARKET_TIMEOUT_MS: "200" })
  for (const [, service] of failing) market.instead.set(service, "silent")
  await Promise.all(
    failing.map(async ([tool, , api, params]) => {
      expect(await callTool(hasty, tool, params)).toMatchObject({
        isError: true,
        text: `${api} did not answer within 200 ms`,
      })
    }),
  )
  await closeClients(hasty)
})

it("no reason has the key of the explorer", async () => {
  for (const body of ["no JSON", { message: "bad" }]) {
    market.instead.set("explorer", { status: 500, body })
    const { text } = await callTool(clients, "base.getContractABI", { address: PEPE })
    expect(text).toContain("failed with status 500")
    expect(text).not.toContain(KEY)
  }
})
