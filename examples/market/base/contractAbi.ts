/**
 * The ABI of a verified contract, from the API of a block explorer.
 *
 * `GET /v2/api?chainid=8453&module=contract&action=getabi&address=…&apikey=…` of https://api.etherscan.io, documented at
 * https://docs.etherscan.io/api-reference/endpoint/getabi. The answer is `{ status, message, result }`: with status "1"
 * `result` is the ABI as JSON in a text, otherwise it is the reason.
 */
import { ApiFailed } from "../ApiFailed.ts"
import { apiOf, fetchJson } from "../fetchJson.ts"
import { listOf, membersOf, textOf, type Members } from "../members.ts"

const api = apiOf("the block explorer", "EXPLORER_URL", "https://api.etherscan.io/v2/api")
const CHAIN_ID = "8453"

export const contractAbi = async (address: string) => {
  const query = new URLSearchParams({
    chainid: CHAIN_ID,
    module: "contract",
    action: "getabi",
    address,
    apikey: process.env["ETHERSCAN_API_KEY"] ?? "",
  })
  const { result, status } = membersOf(await fetchJson(api, `?${query}`))
  if (status !== "1" || typeof result !== "string") {
    throw new ApiFailed(
      `the block explorer has no ABI of ${address}: ${textOf(result) || "no reason given"}`,
    )
  }
  const abi = parsed(result, address).map(membersOf)
  const signatures = (type: string) => abi.filter((one) => one["type"] === type).map(signatureOf)
  return { address, functions: signatures("function"), events: signatures("event"), abi }
}

const parsed = (text: string, address: string): ReadonlyArray<unknown> => {
  try {
    return listOf(JSON.parse(text))
  } catch {
    throw new ApiFailed(`the block explorer gave no JSON as the ABI of ${address}`)
  }
}

/** `transfer(address,uint256)`. */
const signatureOf = ({ inputs, name }: Members): string =>
  `${textOf(name)}(${listOf(inputs)
    .map((input) => textOf(membersOf(input)["type"]))
    .join(",")})`
