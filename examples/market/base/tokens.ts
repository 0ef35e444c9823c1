/** Tokens as their contracts describe them: `symbol()`, `name()`, `decimals()` of https://eips.ethereum.org/EIPS/eip-20. */
import { textOf } from "../members.ts"
import { quantityOf, textOfData } from "./hex.ts"
import { rpcAll, type Answer } from "./rpc.ts"

const SYMBOL = "0x95d89b41"
const NAME = "0x06fdde03"
const DECIMALS = "0x313ce567"

export const callOf = (to: string, data: string) => ["eth_call", [{ to, data }, "latest"]] as const

export const resultOf = (answer: Answer | undefined): unknown =>
  answer !== undefined && "result" in answer ? answer.result : undefined

/** A token whose contract gives no symbol is named by the start of its address. */
const symbolOf = (address: string, answer: Answer | undefined): string =>
  textOf(textOfData(resultOf(answer))) || `${address.slice(0, 8)}…`

/** The symbols of tokens, in one batch. */
export const tokensAt = async (addresses: ReadonlyArray<string>) => {
  const answers = await rpcAll(addresses.map((address) => callOf(address, SYMBOL)))
  return addresses.map((address, index) => ({ symbol: symbolOf(address, answers[index]), address }))
}

/** Undefined if the address is no contract with decimals. */
export const tokenAt = async (address: string) => {
  const [symbol, name, decimals] = await rpcAll(
    [SYMBOL, NAME, DECIMALS].map((data) => callOf(address, data)),
  )
  const places = quantityOf(resultOf(decimals))
  if (places === undefined || places > 255n) return undefined
  return {
    symbol: symbolOf(address, symbol),
    address,
    name: textOf(textOfData(resultOf(name))),
    decimals: Number(places),
  }
}
