/**
 * The server `honeypot`: whether a token can be sold again, by a simulated buy and sale.
 *
 * `GET /v2/IsHoneypot?address=…&chainID=…` of https://api.honeypot.is, documented at
 * https://docs.honeypot.is/ishoneypot. It reads `token`, `simulationSuccess`, `simulationError`,
 * `honeypotResult.isHoneypot`, `.honeypotReason`, `simulationResult.buyTax`, `.sellTax`, `.transferTax`,
 * `summary.risk` and `summary.flags[].description`. A token without a pair is status 404.
 */
import { ApiFailed } from "./ApiFailed.ts"
import { apiOf, fetchJson } from "./fetchJson.ts"
import { listOf, membersOf, numberOf, textOf } from "./members.ts"
import { address, object, serveTools, token } from "./serveTools.ts"

const api = apiOf("honeypot.is", "HONEYPOT_URL", "https://api.honeypot.is")
const MAX_WARNINGS = 5

const BASE = 8453

const checkToken = async ({
  address: of,
  chainId = BASE,
}: {
  address?: string
  chainId?: number
}) => {
  const query = new URLSearchParams({ address: of!, chainID: String(chainId) })
  const answer = membersOf(await fetchJson(api, `/v2/IsHoneypot?${query}`))
  if (answer["simulationSuccess"] !== true) {
    throw new ApiFailed(
      `honeypot.is could not simulate a trade of ${of}: ${textOf(answer["simulationError"]) || "no reason given"}`,
    )
  }
  const verdict = membersOf(answer["honeypotResult"])
  if (typeof verdict["isHoneypot"] !== "boolean") {
    throw new ApiFailed(`honeypot.is gave no verdict on ${of}`)
  }
  const traded = membersOf(answer["simulationResult"])
  const summary = membersOf(answer["summary"])
  const found = membersOf(answer["token"])
  const taxes = { buyTax: "buyTax", sellTax: "sellTax", transferTax: "transferTax" }
  return {
    token: { symbol: textOf(found["symbol"]), address: of },
    honeypot: verdict["isHoneypot"],
    reason: textOf(verdict["honeypotReason"]),
    risk: textOf(summary["risk"]) || "unknown",
    warnings: listOf(summary["flags"])
      .map((flag) => textOf(membersOf(flag)["description"]))
      .filter((text) => text !== "")
      .slice(0, MAX_WARNINGS),
    ...Object.fromEntries(
      Object.entries(taxes).flatMap(([name, member]) => {
        const tax = numberOf(traded[member])
        return tax === undefined ? [] : [[name, tax]]
      }),
    ),
  }
}

serveTools("honeypot", [
  {
    name: "check_token",
    description:
      "Says whether a token can be sold again, with its taxes in percent. Use it for safety, scams and rug pulls.",
    params: object(
      {
        address: { ...address, description: "The token's contract." },
        chainId: { type: "integer", default: BASE, description: "8453 is Base." },
      },
      ["address"],
    ),
    result: object(
      {
        token,
        honeypot: { type: "boolean" },
        reason: { type: "string" },
        risk: { type: "string" },
        warnings: { type: "array", items: { type: "string" } },
        buyTax: { type: "number" },
        sellTax: { type: "number" },
        transferTax: { type: "number" },
      },
      ["token", "honeypot", "reason", "risk", "warnings"],
    ),
    call: checkToken,
  },
])
