import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { cases } from "../../../../.config/cases.ts"
import { unmetWishes, wishesIn } from "./wishes.ts"

const wishes = {
  safety: {
    words: { en: ["safe", "honeypot", "sell again", "scam"], es: ["seguro", "estafa"] },
    tools: ["honeypot.*"],
  },
  listing: { words: { en: ["Dex"] }, tools: ["search"] },
  price: { words: { en: ["price", "cost"], es: ["precio"] }, tools: ["pairs", "overview"] },
}

describe("wishes of a request", () => {
  it.each([
    ["Is PEPE safe?", ["safety"]],
    ["Can I sell again what I buy?", ["safety"]],
    ["The prices of all tokens", ["price"]],
    ["¿Es seguro PEPE y qué precio tiene?", ["safety", "price"]],
    ["Check PEPE", []],
    ["Is it a safety net?", []],
    ["unsafe", []],
    ["Find the token $SAFE", []],
    ["Find the token SAFE", []],
    ['Find "safe" tokens', []],
    ["PEPE without the price", []],
    ["Not the price, is it safe?", ["safety"]],
    ["isn't PEPE a scam? I mean, is it not safe?", ["safety"]],
    ["I'm not sure whether PEPE is safe", ["safety"]],
    ["No idea what the price is", ["price"]],
    ["is it safe or not", ["safety"]],
    ["No estoy seguro de si PEPE es una estafa", ["safety"]],
    ["Don't look at the price, just say whether it is safe", ["safety"]],
    ["no prices but is it safe", ["safety"]],
    ["without prices and costs", []],
    ["without prices, and is it safe", ["safety"]],
    ["don't bother with price or precio", []],
    ["Is this a SAFE token?", ["safety"]],
    ["Do I need to fear that I SAFE myself? SAFE", []],
    ["what is on Dex", ["listing"]],
    ["what is on dex", []],
    ["is it safe to say that the price is high?", ["price"]],
    ["Safe travels! The price, please", ["price"]],
    ["to be on the safe side, is it a scam?", ["safety"]],
    ["whether it is safe isn't important to me", []],
    ["the price doesn't matter but is it safe", ["safety"]],
    ["the price isn't important, is it safe", ["safety"]],
    ["seguro que el precio es bueno", ["price"]],
    ["the price, and leave out whether it is safe", ["price"]],
    ["precio, pero omite si es seguro", ["price"]],
    ["no need to check if it is safe, the price is enough", ["price"]],
    ["make sure it's not a scam", ["safety"]],
    ["find the token called honeypot", []],
    ["is the honeypot called PEPE?", ["safety"]],
  ])("%s → %j", (request, found) => {
    expect(wishesIn(request, wishes)).toEqual(found)
  })

  it("are met by a successful call of one of their tools", () => {
    const request = "Is PEPE safe, and what is its price?"
    const call = (tool: string, ok = true) => ({ tool, ok })
    expect(unmetWishes(request, wishes, [])).toEqual(["safety", "price"])
    expect(unmetWishes(request, wishes, [call("honeypot.check_token")])).toEqual(["price"])
    expect(unmetWishes(request, wishes, [call("overview", false)])).toEqual(["safety", "price"])
  })

  it("are not found in a part of a longer word", () => {
    const letters = fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom(..."bcdfgkmnx") })
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        expect(wishesIn(`look for ${before}price${after}`, wishes)).toEqual([])
        expect(wishesIn(`look for ${before} price ${after}`, wishes)).toEqual(["price"])
      }),
      { numRuns: cases(200) },
    )
  })
})
