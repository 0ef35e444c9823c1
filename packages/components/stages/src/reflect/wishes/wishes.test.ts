import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { cases } from "../../../../../../.config/cases.ts"
import { unmetWishes, wishesIn } from "./wishes.ts"

const wishes = {
  safety: {
    words: { en: ["safe", "honeypot", "sell again", "scam"], es: ["seguro", "estafa"] },
    without: { en: ["scam"], es: ["estafa"] },
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
    ["no need for the listing on Dex. the price, and is it safe", ["safety", "price"]],
    ["Skip the price. Safe or not?", ["safety"]],
    ["the price and is it safe - actually no, forget whether it is safe", ["price"]],
    ["is it safe? No, just the price", ["price"]],
    ["is it safe, no? And the price", ["safety", "price"]],
    ["is it safe. Scratch that, what is the price", ["price"]],
    ["price and scam check. drop the scam part", ["price"]],
    ["the price, and don't forget the scam check", ["safety", "price"]],
    ["no idea about the price, nor whether it is safe", ["safety", "price"]],
    ["no price, scam check or costs", []],
    ["skip the scam check and the costs", []],
    ["no scam check, just the price", ["price"]],
    ["no listing, price and scam check for PEPE", ["safety", "price"]],
    ["no scam check and show me the price", ["price"]],
    ["rather than the price tell me whether it is safe", ["safety"]],
    ["I know the price already, is it safe", ["safety"]],
    ["a friend knows the price, how do I know that it is safe?", ["safety", "price"]],
    ["was going to ask for the price, but is it safe", ["safety"]],
    ["a token called Dex", []],
    ["no scams please", ["safety"]],
    ["tokens on base, skip the scams", ["safety"]],
    ["tokens on base, skip the scam checks", []],
    ["tokens on base, no need for scams", []],
    ["precio, sin estafas", ["safety", "price"]],
    ["olvida el precio, ¿es seguro?", ["safety"]],
    ["no olvides el precio", ["price"]],
    ["no sé el precio ni si es seguro", ["safety", "price"]],
    ["¿es seguro? Mejor no. El precio", ["price"]],
  ])("%s → %j", (request, found) => {
    expect(wishesIn(request, wishes, [])).toEqual(found)
  })

  it.each([
    ["can it be sold", ["sellable"]],
    ["is selling it possible at all", ["sellable"]],
    ["possible. to sell", []],
    ["I don't need to know whether selling is possible", []],
    ["is it a scammer's token", ["scam"]],
    ["any scams", ["scam"]],
    ["the Scamcoin", []],
    ["the liqudity", ["liquidity"]],
    ["liqiudity and pirce", ["liquidity", "price"]],
    ["the prise", []],
    ["honeypats", ["scam"]],
  ])("of groups, of beginnings and of misspelled words: %s → %j", (request, found) => {
    const more = {
      sellable: {
        words: {
          en: [
            [
              ["sell", "sold"],
              ["can", "possible"],
            ],
          ],
        },
        tools: ["any"],
      },
      scam: { words: { en: ["scam*", "honeypot*"] }, tools: ["any"] },
      liquidity: { words: { en: ["liquidity"] }, tools: ["any"] },
      price: { words: { en: ["price"] }, tools: ["any"] },
    }
    expect(wishesIn(request, more, [])).toEqual(found)
  })

  it.each([
    ["It's a scam. The price?", ["price"]],
    ["it's a scam", ["safety"]],
    ["It's safe? The price?", ["safety", "price"]],
    ["it's safe, right? and the price", ["safety", "price"]],
    ["a friend says it's a scam, whatever. the price?", ["price"]],
    ["a friend says it's a scam. Is he right? And the price?", ["safety", "price"]],
    ["a friend says it's a scam", ["safety"]],
    ["do people say it's a scam? and the price", ["safety", "price"]],
    ["I lost money in a scam. The price of PEPE", ["price"]],
    ["I wanted to know whether it is safe, and the price", ["safety", "price"]],
    ["whether it is safe has been checked. The price", ["price"]],
    ["un amigo dice que es una estafa. El precio", ["price"]],
    ["is it safe? no need to redo it, the price", ["price"]],
    ["I wanted the price as well but leave that. Is it safe?", ["safety"]],
    ["The price, safe or not no matter", ["price"]],
    ["price yes. scam check no", ["price"]],
    ["the price is what I don't need, is it safe", ["safety"]],
    ["I'll check whether it is safe myself. The price", ["price"]],
    ["I don't care what the price is, or if it is safe", []],
  ])("of statements: %s → %j", (request, found) => {
    expect(wishesIn(request, wishes, [])).toEqual(found)
  })

  it.each([
    ["Safe Haven, the price", "Safe Haven", ["price"]],
    ["safe haven, the price", "Safe Haven", ["price"]],
    ["Is Safe Haven safe?", "Safe Haven", ["safety"]],
    ["Scam token, the price", "SCAM", ["price"]],
    ["is safe safe", "SAFE", ["safety"]],
    ["find safe tokens", "safe tokens", ["safety"]],
    ["Safe and the price", "PEPE", ["safety", "price"]],
  ])("leave out the names that calls have: %s, of %s → %j", (request, query, found) => {
    expect(wishesIn(request, wishes, [{ params: { query } }])).toEqual(found)
  })

  it("are met by a successful call of one of their tools", () => {
    const request = "Is PEPE safe, and what is its price?"
    const call = (tool: string, ok = true) => ({ tool, ok, params: {} })
    expect(unmetWishes(request, wishes, [])).toEqual(["safety", "price"])
    expect(unmetWishes(request, wishes, [call("honeypot.check_token")])).toEqual(["price"])
    expect(unmetWishes(request, wishes, [call("overview", false)])).toEqual(["safety", "price"])
  })

  it("are not found in a part of a longer word", () => {
    const letters = fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom(..."bcdfgkmnx") })
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        expect(wishesIn(`look for ${before}price${after}`, wishes, [])).toEqual([])
        expect(wishesIn(`look for ${before} price ${after}`, wishes, [])).toEqual(["price"])
      }),
      { numRuns: cases(200) },
    )
  })

  it("follow from the sentences that ask, exclude, waive and withdraw, in any order", () => {
    const nouns = ["price", "safety", "abi", "liquidity"] as const
    const all = Object.fromEntries(
      nouns.map((noun) => [noun, { words: { en: [noun], es: [spanish[noun]] }, tools: ["any"] }]),
    )
    fc.assert(
      fc.property(
        fc.constantFrom<"en" | "es">("en", "es"),
        fc.array(sentence, { minLength: 1, maxLength: 4 }),
        (language, sentences) => {
          const wanted = new Set<string>()
          let before: ReadonlyArray<string> = []
          let request = ""
          for (const { close, form, kind, own } of sentences) {
            const forms = sentenceForms[language][kind]
            request += `${forms[form % forms.length]!(listOf(own, language, kind))}${close}`
            if (kind === "ask") own.forEach((noun) => wanted.add(noun))
            if (kind === "waive") own.forEach((noun) => wanted.delete(noun))
            if (kind === "withdraw") before.forEach((noun) => wanted.delete(noun))
            before = kind === "withdraw" ? [] : own
          }
          expect([request, wishesIn(request, all, []).toSorted()]).toEqual([
            request,
            [...wanted].toSorted(),
          ])
        },
      ),
      { numRuns: cases(500) },
    )
  })
})

const spanish = { price: "precio", safety: "seguridad", abi: "abi", liquidity: "liquidez" } as const
type Noun = keyof typeof spanish
type Kind = "ask" | "exclude" | "waive" | "withdraw"

const sentence = fc.record({
  kind: fc.constantFrom<Kind>("ask", "ask", "exclude", "waive", "withdraw"),
  own: fc.uniqueArray(fc.constantFrom<Noun>("price", "safety", "abi", "liquidity"), {
    minLength: 1,
    maxLength: 3,
  }),
  form: fc.nat(50),
  close: fc.constantFrom(". ", "; ", "! ", " - ", "\n", " — ", "... ", ". And "),
})

/** Nouns as they are listed behind an asking, an excluding and a waiving verb. */
const listOf = (own: ReadonlyArray<Noun>, language: "en" | "es", kind: Kind): string => {
  const words = own.map((noun) => (language === "en" ? `the ${noun}` : `la ${spanish[noun]}`))
  const isExcluded = kind === "exclude"
  const link = language === "en" ? (isExcluded ? "or" : "and") : isExcluded ? "ni" : "y"
  return [words.slice(0, -1).join(", "), words.at(-1)!]
    .filter((part) => part !== "")
    .join(` ${link} `)
}

type Form = (nouns: string) => string
const sentenceForms: {
  readonly [language in "en" | "es"]: { readonly [kind in Kind]: ReadonlyArray<Form> }
} = {
  en: {
    ask: [
      (nouns) => `show me ${nouns}`,
      (nouns) => `${nouns} for PEPE please`,
      (nouns) => `don't forget ${nouns}`,
      (nouns) => `never skip ${nouns}`,
      (nouns) => `I'm not sure about ${nouns}`,
      (nouns) => `no idea about ${nouns}`,
      (nouns) => `what is ${nouns} of PEPE`,
      (nouns) => `isn't there anything on ${nouns}`,
      (nouns) => `no charts, just ${nouns}`,
    ],
    exclude: [
      (nouns) => `without ${nouns}`,
      (nouns) => `not ${nouns}`,
      (nouns) => `I never asked for ${nouns}`,
    ],
    waive: [
      (nouns) => `skip ${nouns}`,
      (nouns) => `no need for ${nouns}`,
      (nouns) => `I don't need ${nouns}`,
      (nouns) => `please leave out ${nouns}`,
      (nouns) => `actually no, forget ${nouns}`,
      (nouns) => `never mind ${nouns}`,
    ],
    withdraw: [() => "scratch that", () => "actually no", () => "hmm no", () => "oh forget it"],
  },
  es: {
    ask: [
      (nouns) => `dame ${nouns}`,
      (nouns) => `${nouns} de PEPE por favor`,
      (nouns) => `no olvides ${nouns}`,
      (nouns) => `no sé ${nouns}`,
      (nouns) => `sin gráficos, solo ${nouns}`,
    ],
    exclude: [(nouns) => `sin ${nouns}`, (nouns) => `nunca pedí ${nouns}`],
    waive: [
      (nouns) => `omite ${nouns}`,
      (nouns) => `no quiero ${nouns}`,
      (nouns) => `olvida ${nouns}`,
      (nouns) => `no necesito ${nouns}`,
    ],
    withdraw: [() => "olvídalo", () => "mejor no", () => "bueno, no"],
  },
}
