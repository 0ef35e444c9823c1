/** Each tool of the servers, over a client of the protocol, against APIs on this machine. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { MarketFixture } from "../fixture/MarketFixture.ts"
import {
  callTool,
  closeClients,
  hex,
  KEY,
  LUNA,
  NEWEST,
  PEPE,
  RUGME,
  startClients,
  UNKNOWN,
  WETH,
  type Clients,
} from "./marketClients.ts"

let market: MarketFixture
let clients: Clients

beforeAll(async () => {
  market = await MarketFixture.start()
  clients = await startClients(market.environment)
})
afterEach(() => {
  market.instead.clear()
  market.asked.length = 0
})
afterAll(async () => {
  await closeClients(clients)
  await market.stop()
})

const call = (name: string, args: { readonly [name: string]: unknown }) =>
  callTool(clients, name, args)

it("the tools are those of the document, and only read", async () => {
  const lists = await Promise.all(
    [...clients].map(async ([server, client]) =>
      (await client.listTools()).tools.map(({ annotations, name }) => {
        expect(annotations?.readOnlyHint).toBe(true)
        return `${server}.${name}`
      }),
    ),
  )
  expect(lists.flat().toSorted()).toEqual([
    "base.getContractABI",
    "base.getDexRouterActivity",
    "base.getTransactionByHash",
    "base.resolveToken",
    "dexscreener.getPairByAddress",
    "dexscreener.getPairsByToken",
    "dexscreener.getTokenOverview",
    "dexscreener.searchPairs",
    "honeypot.check_token",
  ])
})

describe("base", () => {
  it("lists the pools of a router's swaps in the time that was asked for, most swaps first", async () => {
    const { value } = await call("base.getDexRouterActivity", {
      router: "uniswap_v3",
      sinceMinutes: 30,
    })
    expect(value).toMatchObject({ router: "uniswap_v3", sinceMinutes: 30, swaps: 4 })
    expect(value.items).toEqual([
      {
        token: { symbol: "PEPE", address: PEPE },
        quote: { symbol: "WETH", address: WETH },
        pair: hex("d1", 20),
        swaps: 3,
        transaction: hex("14", 32),
      },
      {
        token: { symbol: "LUNA", address: LUNA },
        quote: { symbol: "WETH", address: WETH },
        pair: hex("d2", 20),
        swaps: 1,
        transaction: hex("12", 32),
      },
    ])
    const filter = market.asked
      .flatMap(({ body }) => body)
      .find(({ method }) => method === "eth_getLogs")
    expect(filter.params).toEqual([
      {
        fromBlock: `0x${(NEWEST - 900).toString(16)}`,
        toBlock: `0x${NEWEST.toString(16)}`,
        topics: [
          ["0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67"],
          "0x0000000000000000000000002626664c2603336e57b271c5c0b26f421741e481",
        ],
      },
    ])
  })

  it("looks further back, reads another exchange's event, and lists no more pools than the limit", async () => {
    const hour = await call("base.getDexRouterActivity", {
      router: "uniswap_v3",
      sinceMinutes: 60,
      limit: 1,
    })
    expect(hour.value).toMatchObject({ swaps: 5, items: [{ token: { symbol: "PEPE" } }] })
    expect(hour.value.items).toHaveLength(1)
    const aerodrome = await call("base.getDexRouterActivity", { router: "aerodrome" })
    expect(aerodrome.value).toMatchObject({ swaps: 1, items: [{ token: { symbol: "RUGME" } }] })
    const quiet = await call("base.getDexRouterActivity", { router: "sushi_v2" })
    expect(quiet.value).toMatchObject({ swaps: 0, items: [] })
    const address = "0x2626664c2603336E57B271c5C0b26F421741e481"
    const unnamed = await call("base.getDexRouterActivity", { router: address, sinceMinutes: 60 })
    expect(unnamed.value).toMatchObject({ router: address, swaps: 5 })
  })

  it("gives a transaction with its tokens, one that waits, and the reason for one that is not there", async () => {
    const { value } = await call("base.getTransactionByHash", { hash: hex("14", 32) })
    expect(value).toMatchObject({
      status: "success",
      valueEth: "0.15",
      block: NEWEST - 20,
      tokens: [
        { symbol: "WETH", address: WETH },
        { symbol: "PEPE", address: PEPE },
      ],
    })
    const waits = await call("base.getTransactionByHash", { hash: hex("17", 32) })
    expect(waits.value).toMatchObject({ status: "pending", valueEth: "0", tokens: [] })
    expect(await call("base.getTransactionByHash", { hash: hex("99", 32) })).toMatchObject({
      isError: true,
      text: `Base has no transaction ${hex("99", 32)}`,
    })
  })

  it("gives the ABI of a contract, or the explorer's reason", async () => {
    const { value } = await call("base.getContractABI", { address: PEPE })
    expect(value).toMatchObject({
      address: PEPE,
      functions: ["transfer(address,uint256)", "symbol()"],
      events: ["Transfer(address,address,uint256)"],
    })
    expect(value.abi).toHaveLength(4)
    expect(market.asked[0]!.url).toContain(
      `/explorer?chainid=8453&module=contract&action=getabi&address=${PEPE}&apikey=${KEY}`,
    )
    expect(await call("base.getContractABI", { address: UNKNOWN })).toMatchObject({
      isError: true,
      text: `the block explorer has no ABI of ${UNKNOWN}: Contract source code not verified`,
    })
  })

  it("reads a token from its contract, also one whose symbol is 32 bytes", async () => {
    const pepe = await call("base.resolveToken", { address: PEPE })
    expect(pepe.value).toEqual({ symbol: "PEPE", address: PEPE, name: "Pepe", decimals: 18 })
    const luna = await call("base.resolveToken", { address: LUNA })
    expect(luna.value).toMatchObject({ symbol: "LUNA", name: "Luna by the sea" })
    expect(await call("base.resolveToken", { address: UNKNOWN })).toMatchObject({
      isError: true,
      text: `there is no token at ${UNKNOWN} on Base`,
    })
  })

  it("reports what the node refuses, such as logs of too many blocks", async () => {
    market.instead.set("rpc", {
      status: 200,
      body: {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32_600, message: "block range too large" },
      },
    })
    expect(await call("base.getDexRouterActivity", { router: "uniswap_v3" })).toMatchObject({
      isError: true,
      text: "the node of Base refused the requests: block range too large",
    })
  })

  it("fails a single request with the node's reason", async () => {
    market.instead.set("rpc", {
      status: 200,
      body: [{ jsonrpc: "2.0", id: 0, error: { code: -32_005, message: "limit exceeded" } }],
    })
    expect((await call("base.getDexRouterActivity", { router: "uniswap_v3" })).text).toBe(
      "the node of Base refused eth_blockNumber: limit exceeded",
    )
  })
})

describe("dexscreener", () => {
  it("finds pairs by symbol, most liquid first, of all networks or of one", async () => {
    const all = await call("dexscreener.searchPairs", { query: "PEPE" })
    expect(all.value.found).toBe(3)
    expect(all.value.items[0]).toMatchObject({ chainId: "ethereum", liquidityUsd: 9_100_000 })
    const base = await call("dexscreener.searchPairs", { query: "PEPE", chainId: "base" })
    expect(base.value.items.map(({ dex }: any) => dex)).toEqual(["uniswap", "aerodrome"])
    const none = await call("dexscreener.searchPairs", { query: "NOSUCH" })
    expect(none.value).toEqual({ items: [], found: 0 })
  })

  it("lists pairs of a token, leaving out the numbers that a pair does not have", async () => {
    const { value } = await call("dexscreener.getPairsByToken", {
      chainId: "base",
      tokenAddress: PEPE,
    })
    expect(value.items[0]).toMatchObject({
      priceUsd: 0.0012,
      volume24hUsd: 240_000,
      priceChange24h: 12.5,
    })
    expect(value.items[1]).not.toHaveProperty("priceChange24h")
    expect(value.items[1].marketCapUsd).toBe(1_200_000)
  })

  it("gives a pair by its address, or says that there is none", async () => {
    const pair = { chainId: "base", pairAddress: hex("d2", 20) }
    expect((await call("dexscreener.getPairByAddress", pair)).value).toMatchObject({
      token: { symbol: "LUNA" },
      priceUsd: 0.034,
    })
    expect(
      await call("dexscreener.getPairByAddress", { chainId: "base", pairAddress: UNKNOWN }),
    ).toMatchObject({ isError: true, text: `dexscreener has no pair ${UNKNOWN} on base` })
  })

  it("sums up the pairs of a token", async () => {
    const { value } = await call("dexscreener.getTokenOverview", {
      chainId: "base",
      tokenAddress: PEPE,
    })
    expect(value).toEqual({
      chainId: "base",
      token: { symbol: "PEPE", address: PEPE },
      pairs: 2,
      priceUsd: 0.0012,
      liquidityUsd: 90_000.5,
      volume24hUsd: 256_000,
      priceChange24h: 12.5,
      marketCapUsd: 1_200_000,
    })
    expect(
      await call("dexscreener.getTokenOverview", { chainId: "base", tokenAddress: UNKNOWN }),
    ).toMatchObject({ isError: true })
  })

  it("reads nothing but pairs from an answer of another shape", async () => {
    const odd = [null, 7, "x", { pairAddress: 5 }, { pairAddress: "0x1", baseToken: null }]
    market.instead.set("dexscreener", { status: 200, body: { pairs: odd } })
    expect((await call("dexscreener.searchPairs", { query: "PEPE" })).value).toEqual({
      items: [],
      found: 0,
    })
  })
})

describe("honeypot", () => {
  it("says of a token whether it can be sold, with the reasons", async () => {
    const rug = await call("honeypot.check_token", { address: RUGME, chainId: 8453 })
    expect(rug.value).toMatchObject({
      token: { symbol: "RUGME", address: RUGME },
      honeypot: true,
      reason: "TRANSFER_FROM_FAILED",
      risk: "honeypot",
      warnings: ["The source of the contract is not published."],
    })
    const luna = await call("honeypot.check_token", { address: LUNA, chainId: 8453 })
    expect(luna.value).toMatchObject({ honeypot: false, risk: "medium", buyTax: 1, sellTax: 3.5 })
  })

  it("gives no verdict on a token that has no pair, or whose trade could not be simulated", async () => {
    expect(await call("honeypot.check_token", { address: UNKNOWN, chainId: 8453 })).toMatchObject({
      isError: true,
      text: "honeypot.is failed with status 404: pair not found",
    })
    expect(
      (await call("honeypot.check_token", { address: hex("c4", 20), chainId: 8453 })).text,
    ).toBe(`honeypot.is could not simulate a trade of ${hex("c4", 20)}: execution reverted`)
  })
})
