/** The pools in which a router has swapped lately, from the logs of their swaps, most swaps first. */
import { ApiFailed } from "../ApiFailed.ts"
import { listOf, membersOf, textOf } from "../members.ts"
import { addressOf, quantity, quantityOf, wordOf } from "./hex.ts"
import { quotes, routerOf } from "./routers.ts"
import { rpc, rpcAll } from "./rpc.ts"
import { callOf, resultOf, tokensAt } from "./tokens.ts"

/** Base makes a block every 2 s. */
const BLOCKS_PER_MINUTE = 30n
/** A node gives the logs of 10,000 blocks at once. */
const MAX_BLOCKS = 10_000n
const TOKEN0 = "0x0dfe1681"
const TOKEN1 = "0xd21220a7"

interface Pool {
  readonly pair: string
  readonly swaps: number
  /** Of the newest swap. */
  readonly transaction: string
}

export const routerActivity = async (name: string, sinceMinutes: number, limit: number) => {
  const { address, swaps } = routerOf(name)
  const newest = quantityOf(await rpc("eth_blockNumber", []))
  if (newest === undefined) throw new ApiFailed("the node of Base gave no number of a block")
  const back = BigInt(sinceMinutes) * BLOCKS_PER_MINUTE
  const logs: Array<unknown> = []
  for (const [from, to] of rangesOf(newest > back ? newest - back : 0n, newest)) {
    const filter = { fromBlock: quantity(from), toBlock: quantity(to) }
    const found = await rpc("eth_getLogs", [{ ...filter, topics: [swaps, wordOf(address)] }])
    logs.push(...listOf(found))
  }
  const pools = poolsOf(logs)
  return {
    router: name,
    sinceMinutes,
    swaps: pools.reduce((sum, pool) => sum + pool.swaps, 0),
    items: await withTokens(pools.slice(0, limit)),
  }
}

const rangesOf = (from: bigint, to: bigint): ReadonlyArray<readonly [bigint, bigint]> => {
  const last = from + MAX_BLOCKS - 1n
  return last >= to ? [[from, to]] : [[from, last], ...rangesOf(last + 1n, to)]
}

/** Logs are in the order of their blocks. */
const poolsOf = (logs: ReadonlyArray<unknown>): ReadonlyArray<Pool> => {
  const pools = new Map<string, Pool>()
  for (const log of logs) {
    const { address, transactionHash } = membersOf(log)
    const pair = textOf(address).toLowerCase()
    if (pair === "") continue
    const swaps = (pools.get(pair)?.swaps ?? 0) + 1
    pools.set(pair, { pair, swaps, transaction: textOf(transactionHash) })
  }
  return [...pools.values()].toSorted((a, b) => b.swaps - a.swaps)
}

/** What is no pool of two tokens is left out. */
const withTokens = async (pools: ReadonlyArray<Pool>) => {
  const answers = await rpcAll(
    pools.flatMap(({ pair }) => [callOf(pair, TOKEN0), callOf(pair, TOKEN1)]),
  )
  const found = pools.flatMap((pool, index) => {
    const first = addressOf(resultOf(answers[2 * index]))
    const second = addressOf(resultOf(answers[2 * index + 1]))
    if (first === undefined || second === undefined) return []
    const [token, quote] = quotes.has(first) ? [second, first] : [first, second]
    return [{ ...pool, token, quote }]
  })
  const addresses = [...new Set(found.flatMap(({ quote, token }) => [token, quote]))]
  const tokens = new Map((await tokensAt(addresses)).map((one) => [one.address, one]))
  return found.map((pool) => ({
    ...pool,
    token: tokens.get(pool.token)!,
    quote: tokens.get(pool.quote)!,
  }))
}
