/**
 * The server `dexscreener`: pairs of tokens on decentralized exchanges, with price and liquidity.
 *
 * https://api.dexscreener.com, documented at https://docs.dexscreener.com/api/reference:
 * `GET /latest/dex/search?q=…` and `GET /latest/dex/pairs/{chainId}/{pairId}` give `{ pairs: […] | null }`,
 * `GET /token-pairs/v1/{chainId}/{tokenAddress}` and `GET /tokens/v1/{chainId}/{tokenAddresses}` a list of pairs.
 * Of a pair it reads `chainId`, `dexId`, `url`, `pairAddress`, `baseToken`, `quoteToken`, `priceUsd` (a text),
 * `liquidity.usd`, `volume.h24`, `priceChange.h24`, `marketCap` and `fdv`; numbers may be missing.
 */
import { ApiFailed } from "./ApiFailed.ts"
import { apiOf, fetchJson } from "./fetchJson.ts"
import { listOf, membersOf, numberOf, textOf } from "./members.ts"
import { address, object, serveTools, token } from "./serveTools.ts"

const api = apiOf("dexscreener", "DEXSCREENER_URL", "https://api.dexscreener.com")
/** The identifier of the network. */
const BASE = "base"
const MAX_PAIRS = 10

const tokenOf = (value: unknown) => {
  const { address: of, symbol } = membersOf(value)
  return { symbol: textOf(symbol), address: textOf(of) }
}

/** A pair, without the members that it does not have. */
const pairOf = (value: unknown) => {
  const pair = membersOf(value)
  const numbers = {
    priceUsd: pair["priceUsd"],
    liquidityUsd: membersOf(pair["liquidity"])["usd"],
    volume24hUsd: membersOf(pair["volume"])["h24"],
    priceChange24h: membersOf(pair["priceChange"])["h24"],
    marketCapUsd: pair["marketCap"] ?? pair["fdv"],
  }
  return {
    chainId: textOf(pair["chainId"]),
    dex: textOf(pair["dexId"]),
    pair: textOf(pair["pairAddress"]),
    token: tokenOf(pair["baseToken"]),
    quote: tokenOf(pair["quoteToken"]),
    url: textOf(pair["url"]),
    ...(Object.fromEntries(
      Object.entries(numbers).flatMap(([name, written]) => {
        const number = numberOf(written)
        return number === undefined ? [] : [[name, number]]
      }),
    ) as { readonly [name in keyof typeof numbers]?: number }),
  }
}

type Pair = ReturnType<typeof pairOf>

/** Most liquid first. What is no pair is left out. */
const pairsOf = (value: unknown): ReadonlyArray<Pair> =>
  listOf(value)
    .map(pairOf)
    .filter((pair) => pair.pair !== "" && pair.token.address !== "")
    .toSorted((a, b) => (b.liquidityUsd ?? 0) - (a.liquidityUsd ?? 0))

const listed = (pairs: ReadonlyArray<Pair>) => ({
  items: pairs.slice(0, MAX_PAIRS),
  found: pairs.length,
})

const inPath = (...parts: ReadonlyArray<unknown>) =>
  parts.map((part) => encodeURIComponent(String(part))).join("/")

const searchPairs = async ({ chainId, query }: { chainId?: string; query?: string }) => {
  const answer = membersOf(
    await fetchJson(api, `/latest/dex/search?${new URLSearchParams({ q: query! })}`),
  )
  const pairs = pairsOf(answer["pairs"])
  return listed(chainId === undefined ? pairs : pairs.filter((pair) => pair.chainId === chainId))
}

const getPairsByToken = async ({ chainId = BASE, tokenAddress }: Named) =>
  listed(pairsOf(await fetchJson(api, `/token-pairs/v1/${inPath(chainId, tokenAddress)}`)))

const getPairByAddress = async ({ chainId = BASE, pairAddress }: Named) => {
  const answer = membersOf(
    await fetchJson(api, `/latest/dex/pairs/${inPath(chainId, pairAddress)}`),
  )
  const [pair] = pairsOf(answer["pairs"])
  if (pair === undefined)
    throw new ApiFailed(`dexscreener has no pair ${pairAddress} on ${chainId}`)
  return pair
}

/** The most liquid pair's figures; liquidity and volume are those of all pairs in which it is the base token. */
const getTokenOverview = async ({ chainId = BASE, tokenAddress }: Named) => {
  const all = pairsOf(await fetchJson(api, `/tokens/v1/${inPath(chainId, tokenAddress)}`))
  const pairs = all.filter(
    (pair) => pair.token.address.toLowerCase() === tokenAddress!.toLowerCase(),
  )
  const [first] = pairs
  if (first === undefined)
    throw new ApiFailed(`dexscreener has no pair of ${tokenAddress} on ${chainId}`)
  const sum = (member: "liquidityUsd" | "volume24hUsd") =>
    pairs.reduce((total, pair) => total + (pair[member] ?? 0), 0)
  const { dex: _dex, pair: _pair, quote: _quote, url: _url, ...figures } = first
  return {
    ...figures,
    liquidityUsd: sum("liquidityUsd"),
    volume24hUsd: sum("volume24hUsd"),
    pairs: pairs.length,
  }
}

interface Named {
  readonly chainId?: string
  readonly tokenAddress?: string
  readonly pairAddress?: string
}

const number = { type: "number" }
const text = { type: "string" }
const figures = {
  priceUsd: number,
  liquidityUsd: number,
  volume24hUsd: number,
  priceChange24h: { ...number, description: "In percent." },
  marketCapUsd: number,
}
const pair = object(
  { chainId: text, dex: text, pair: text, token: token, quote: token, url: text, ...figures },
  ["chainId", "dex", "pair", "token", "quote"],
)
const pairs = object({ items: { type: "array", items: pair }, found: { type: "integer" } })
const chainId = { ...text, default: BASE, description: "The network, such as base or ethereum." }
const ofToken = object(
  { tokenAddress: { ...address, description: "The token's contract." }, chainId },
  ["tokenAddress"],
)

serveTools("dexscreener", [
  {
    name: "searchPairs",
    description:
      "Finds pairs of a token by its symbol, name or address. Use it when only the symbol or name of a token is known.",
    params: object(
      {
        query: { ...text, minLength: 1, maxLength: 100, description: "A symbol, name or address." },
        chainId: { ...text, description: "Only pairs of this network; all unless given." },
      },
      ["query"],
    ),
    result: pairs,
    call: searchPairs,
  },
  {
    name: "getPairsByToken",
    description: "Lists the pairs of a token by its address. Use it for price and liquidity.",
    params: ofToken,
    result: pairs,
    call: getPairsByToken,
  },
  {
    name: "getPairByAddress",
    description: "Gives one pair by the address of the pair. Not for addresses of tokens.",
    params: object({ pairAddress: { ...address, description: "The pair's contract." }, chainId }, [
      "pairAddress",
    ]),
    result: pair,
    call: getPairByAddress,
  },
  {
    name: "getTokenOverview",
    description:
      "Sums up a token by its address: price, market cap, liquidity and volume of all its pairs.",
    params: ofToken,
    result: object({ chainId: text, token, pairs: { type: "integer" }, ...figures }, [
      "chainId",
      "token",
      "pairs",
    ]),
    call: getTokenOverview,
  },
])
