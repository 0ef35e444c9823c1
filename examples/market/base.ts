/** The server `base`: what happens on the network Base, from a node and a block explorer. */
import { ApiFailed } from "./ApiFailed.ts"
import { contractAbi } from "./base/contractAbi.ts"
import { routerActivity } from "./base/routerActivity.ts"
import { routers } from "./base/routers.ts"
import { tokenAt } from "./base/tokens.ts"
import { transaction } from "./base/transaction.ts"
import { address, object, serveTools, token } from "./serveTools.ts"

const text = { type: "string" }
const count = { type: "integer", minimum: 0 }
const list = (items: object) => ({ type: "array", items })
const hash = { type: "string", pattern: "^0x[0-9a-fA-F]{64}$" }

serveTools("base", [
  {
    name: "getDexRouterActivity",
    description:
      "Lists the pools in which the router of an exchange has swapped lately, with their tokens, most swaps first. Use it to find out what moves.",
    params: object(
      {
        router: {
          anyOf: [{ enum: Object.keys(routers) }, address],
          description: "The router of an exchange, by its name or its address.",
        },
        sinceMinutes: {
          type: "integer",
          minimum: 1,
          maximum: 1440,
          default: 30,
          description: "How far back.",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: 10,
          default: 5,
          description: "The most pools.",
        },
      },
      ["router"],
    ),
    result: object({
      router: text,
      sinceMinutes: count,
      swaps: count,
      items: list(object({ token, quote: token, pair: text, swaps: count, transaction: text })),
    }),
    call: ({ limit = 5, router, sinceMinutes = 30 }) => routerActivity(router, sinceMinutes, limit),
  },
  {
    name: "getTransactionByHash",
    description:
      "Gives a transaction by its hash: parties, value, whether it succeeded, tokens that it moved.",
    params: object({ hash: { ...hash, description: "The hash of the transaction." } }),
    result: object(
      {
        hash,
        status: text,
        from: text,
        to: text,
        valueEth: text,
        block: count,
        tokens: list(token),
      },
      ["hash", "status", "from", "to", "valueEth", "tokens"],
    ),
    call: ({ hash: of }) => transaction(of),
  },
  {
    name: "getContractABI",
    description: "Gives the ABI of a verified contract: its functions and events.",
    params: object({ address: { ...address, description: "The contract." } }),
    result: object({
      address,
      functions: list(text),
      events: list(text),
      abi: list({ type: "object" }),
    }),
    call: ({ address: of }) => contractAbi(of),
  },
  {
    name: "resolveToken",
    description:
      "Gives symbol, name and decimals of the token at an address, from its own contract.",
    params: object({ address: { ...address, description: "The token's contract." } }),
    result: object({ symbol: text, address, name: text, decimals: count }),
    call: async ({ address: of }) => {
      const found = await tokenAt(of)
      if (found === undefined) throw new ApiFailed(`there is no token at ${of} on Base`)
      return found
    },
  },
])
