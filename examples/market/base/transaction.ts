/** A transaction by its hash, with what became of it and the tokens that it moved. */
import { ApiFailed } from "../ApiFailed.ts"
import { listOf, membersOf, textOf } from "../members.ts"
import { quantityOf } from "./hex.ts"
import { rpcAll } from "./rpc.ts"
import { tokensAt } from "./tokens.ts"

/** Of `Transfer(address,address,uint256)`. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
const MAX_TOKENS = 5
const WEI_PER_ETH = 10n ** 18n

export const transaction = async (hash: string) => {
  const [sent, receipt] = await rpcAll([
    ["eth_getTransactionByHash", [hash]],
    ["eth_getTransactionReceipt", [hash]],
  ])
  for (const answer of [sent!, receipt!]) {
    if ("error" in answer) throw new ApiFailed(`the node of Base refused ${hash}: ${answer.error}`)
  }
  const found = membersOf("result" in sent! ? sent.result : undefined)
  if (found["hash"] === undefined) throw new ApiFailed(`Base has no transaction ${hash}`)
  const made = membersOf("result" in receipt! ? receipt.result : undefined)
  const block = quantityOf(found["blockNumber"])
  return {
    hash,
    status: statusOf(made["status"]),
    from: textOf(found["from"]),
    to: textOf(found["to"]),
    valueEth: ethOf(quantityOf(found["value"]) ?? 0n),
    ...(block === undefined ? {} : { block: Number(block) }),
    tokens: await tokensAt(movedIn(made["logs"])),
  }
}

/** Without a receipt it is in no block. */
const statusOf = (status: unknown): string => {
  if (status === undefined) return "pending"
  return quantityOf(status) === 1n ? "success" : "reverted"
}

const ethOf = (wei: bigint): string => {
  const rest = (wei % WEI_PER_ETH).toString().padStart(18, "0").replace(/0+$/, "")
  return `${wei / WEI_PER_ETH}${rest === "" ? "" : `.${rest}`}`
}

const movedIn = (logs: unknown): ReadonlyArray<string> => {
  const moved = listOf(logs)
    .map(membersOf)
    .filter(({ topics }) => listOf(topics)[0] === TRANSFER)
    .map(({ address }) => textOf(address).toLowerCase())
  return [...new Set(moved)].slice(0, MAX_TOKENS)
}
