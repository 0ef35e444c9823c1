/**
 * Requests of the JSON-RPC API of a node of the network Base.
 *
 * Methods as at https://ethereum.org/developers/docs/apis/json-rpc: `eth_blockNumber`, `eth_getLogs`, `eth_call`,
 * `eth_getTransactionByHash`, `eth_getTransactionReceipt`; several requests are sent as one batch
 * (https://www.jsonrpc.org/specification#batch). The public node and the time of a block:
 * https://github.com/ethereum-optimism/superchain-registry/blob/main/superchain/configs/mainnet/base.toml.
 */
import { ApiFailed } from "../ApiFailed.ts"
import { apiOf, fetchJson } from "../fetchJson.ts"
import { listOf, membersOf, textOf } from "../members.ts"

const api = apiOf("the node of Base", "BASE_RPC_URL", "https://mainnet.base.org")
/** Public nodes limit the length of a batch. */
const MAX_BATCH = 10

export type Request = readonly [method: string, params: ReadonlyArray<unknown>]

/** Either the result or the reason why there is none. */
export type Answer = { readonly result: unknown } | { readonly error: string }

/** Answers in the order of the requests. Fails if the node gives none. */
export const rpcAll = async (requests: ReadonlyArray<Request>): Promise<ReadonlyArray<Answer>> => {
  const batches = Array.from({ length: Math.ceil(requests.length / MAX_BATCH) }, (_, index) =>
    requests.slice(index * MAX_BATCH, (index + 1) * MAX_BATCH),
  )
  const answers: Array<Answer> = []
  for (const batch of batches) answers.push(...(await send(batch)))
  return answers
}

/** The result of one request. Fails with the node's reason. */
export const rpc = async (...request: Request): Promise<unknown> => {
  const [answer] = await rpcAll([request])
  if ("error" in answer!) throw new ApiFailed(`${api.name} refused ${request[0]}: ${answer.error}`)
  return answer!.result
}

const send = async (batch: ReadonlyArray<Request>): Promise<ReadonlyArray<Answer>> => {
  const body = batch.map(([method, params], id) => ({ jsonrpc: "2.0", id, method, params }))
  const given = await fetchJson(api, "", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  if (!Array.isArray(given)) {
    const reason = textOf(membersOf(membersOf(given)["error"])["message"]) || "no list of answers"
    throw new ApiFailed(`${api.name} refused the requests: ${reason}`)
  }
  const byId = new Map(listOf(given).map((one) => [membersOf(one)["id"], membersOf(one)]))
  return batch.map(([method], id) => answerOf(byId.get(id), method))
}

const answerOf = (given: ReturnType<typeof membersOf> | undefined, method: string): Answer => {
  if (given === undefined) return { error: `no answer to ${method}` }
  if (given["error"] !== undefined) {
    return { error: textOf(membersOf(given["error"])["message"]) || "no reason given" }
  }
  return { result: given["result"] }
}
