import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { cases } from "../../../../../../.config/cases.ts"
import { unusedNames } from "./unusedNames.ts"

const address = `0x${"a1".repeat(20)}`
const other = `0x${"b2".repeat(20)}`
const tools = [
  {
    name: "activity",
    params: {
      type: "object",
      properties: {
        router: { type: "string" },
        pool: { type: "string", pattern: "^0x[0-9a-f]{40}$" },
      },
    },
    words: {
      router: {
        uniswap_v3: ["uniswap", "uni v3"],
        uniswap_v2: ["uniswap v2"],
        aerodrome: ["aerodrome"],
      },
    },
  },
]
const call = (params: object, tool = "search") => ({
  tool,
  params: params as never,
  summary: "one pair",
})

describe("names of a request that no call has", () => {
  it.each([
    ["Check $PEPE and $LUNA", { query: "PEPE" }, ["LUNA"]],
    ["PEPE or LUNA?", { query: "pepe" }, ["LUNA"]],
    ["PEPE, LUNA vs. WIF", { query: "LUNA" }, ["PEPE", "WIF"]],
    [`${address} and ${other}`, { address }, [other]],
    [`The ABI of ${other} and tx ${address}`, { address: address.toUpperCase() }, [other]],
    [`${address}, not ${other}`, { address }, []],
    [`${address} and ${other}. Scratch that, just ${address}`, { address }, []],
    ["PEPE and LUNA - actually no, skip LUNA", { query: "PEPE" }, []],
    ["I'm not sure about $PEPE and $LUNA", { query: "PEPE" }, ["LUNA"]],
    ["PEPE, PLS", { query: "PEPE" }, []],
    ["PEPE, WELL and LUNA", { query: "WELL" }, ["PEPE", "LUNA"]],
    ["PEPE's price, and LUNA's too", { query: "PEPE" }, ["LUNA"]],
    ["compare PEPE with LUNA", { query: "PEPE" }, ["LUNA"]],
    ["swap PEPE to USDC", { query: "PEPE" }, []],
    ["PEPE's price IS what?", { query: "PEPE" }, []],
    [`Look at ${address}. I already know ${other}`, { address }, []],
    // A param takes it, and no call has it.
    [`PEPE price. And is ${address} the same?`, { query: "PEPE" }, [address]],
    // Of nothing else that is named, it is not known how a call has it.
    ["What is order 4417-b-2026?", { query: "PEPE" }, []],
    ["PEPE or LUNA?", { query: "WIF" }, []],
    ["The price of PEPE in USD", { query: "PEPE" }, []],
    ["PEPE/WETH", { query: "PEPE" }, []],
    ["CHECK PEPE AND LUNA", { query: "PEPE" }, []],
    ["$PEPE in the last 30minutes", { query: "PEPE" }, []],
  ])("%s", (request, params, unused) => {
    expect(unusedNames(request, [call(params)], tools)).toEqual(unused)
  })

  it("include values of a param by their words, beside one of a call", () => {
    const request = "activity on uniswap v2, aerodrome, uniswap"
    const calls = [call({ router: "aerodrome" }, "activity")]
    expect(unusedNames(request, calls, tools)).toEqual(["uniswap_v2", "uniswap_v3"])
    expect(
      unusedNames("uniswap v2 only", [call({ router: "uniswap_v2" }, "activity")], tools),
    ).toEqual([])
    expect(unusedNames("uniswap", calls, tools)).toEqual([])
  })

  it("are none where a call has all words of the request", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."PEPELUNA$ ,0xa1", " and ") }),
        (request) => {
          expect(unusedNames(request, [call({ query: request })], tools)).toEqual([])
        },
      ),
      { numRuns: cases(300) },
    )
  })
})
