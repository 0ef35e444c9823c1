import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { cases } from "../../../../../.config/cases.ts"
import type { JsonSchema, Tool } from "@planloom/plugin/effect"
import { isPlainSentence } from "./isPlainSentence.ts"
import { technicalWords } from "./technicalWords.ts"

const tool = (name: string, properties: { [name: string]: object }, result?: JsonSchema): Tool => ({
  name,
  summary: "Finds.",
  capabilities: [],
  inputs: {},
  outputs: [],
  params: { type: "object", properties } as unknown as JsonSchema,
  ...(result === undefined ? {} : { result }),
})

const tools = [
  tool("dexscreener.searchPairs", { query: {}, chainId: {}, token: {} }),
  tool(
    "search_documents",
    {
      query: {},
      library: { enum: ["sessions", "exhibitors"] },
      mode: { enum: ["faceted", "master"] },
      max_age: {},
      where: {},
    },
    {
      type: "object",
      properties: { passages: { items: { type: "object", properties: { library: {} } } } },
    },
  ),
]
const plan = {
  steps: [
    {
      id: "step_1",
      tool: "search_documents",
      inputs: {},
      params: { query: "quantum computing", limit: 20 },
      satisfies: [],
    },
  ],
}
const isPlain = (message: string, request = "Is that token safe?") =>
  isPlainSentence(message, {
    request,
    plans: [plan],
    tools,
    strategies: ["ask_around"],
    terms: ["abstract"],
  })

describe("a sentence for the user", () => {
  it.each([
    "I am checking whether it can be sold again.",
    "No hay nada con ese nombre; pruebo con otras palabras.",
    "Ich suche mit anderen Wörtern.",
    "Let me look at the token itself.",
    "A company may help you better than a talk. I am looking among the exhibitors.",
    "Nothing is called that here. Let me try related subjects.",
    "I didn't find a match, so let's see where else it's discussed!",
    'Nobody speaks about "quantum computing", so I try "computing" alone.',
    "I found no talk on Wednesday; perhaps there is a workshop on another day.",
    "Let me check the speakers: one of them may know.",
    "Hm… perhaps it is called otherwise. I try it (and look elsewhere)!",
    "Nothing yet?! I look elsewhere, e. g. among the people.",
  ])("%s is shown", (message) => {
    expect(isPlain(message)).toBe(true)
  })

  it.each([
    "",
    "I call dexscreener.searchPairs next.",
    "I change the query.",
    "The chainId was wrong.",
    "Trying step_1 again.",
    'Now {"strategy": "relax"}.',
    "The `limit` goes up.",
    "I lower score_threshold.",
    "The scores were too low.",
    "Two databases have nothing.",
    "I use a faceted search.",
    "Let me look in master mode.",
    "I am switching to Search Documents.",
    "The max age was too low.",
    "I will relax the search.",
    "This time I ask around.",
    "I go down to 0.15.",
    "I go down to 15 %.",
    "Let me see 20 of them.",
    "No row has it.",
    "It is not in the abstract.",
    "I am looking in 'offer' now.",
    "Estoy bajando la puntuación.",
    "Ahora miro otras columnas.",
    "Nothing yet. I look elsewhere. Please wait.",
    "Nothing yet! “I look elsewhere.” Wait…",
    "Nothing yet\nI look elsewhere\nWait",
    "没有找到。换个说法。请稍等。",
    "x".repeat(301),
  ])("%s is not", (message) => {
    expect(isPlain(message)).toBe(false)
  })

  const everyday = "I look further for it now and ask other people about that".split(" ")
  const sentence = fc.array(fc.constantFrom(...everyday), { minLength: 1, maxLength: 8 })
  const insert = (words: ReadonlyArray<string>, at: number, name: string) => {
    const place = at % (words.length + 1)
    return [...words.slice(0, place), name, ...words.slice(place)].join(" ")
  }

  it("never holds a name of the workflow in any spelling unless the request has it", () => {
    const letters = fc.stringMatching(/^[b-df-hj-np-tv-z]{4,8}$/)
    const spellings: ReadonlyArray<(parts: ReadonlyArray<string>) => string> = [
      (parts) => parts.join("_"),
      (parts) => parts.join("-"),
      (parts) => parts.join(" "),
      (parts) => parts.join(" ").toUpperCase(),
      (parts) => parts.map((part) => part[0]!.toUpperCase() + part.slice(1)).join(""),
    ]
    const kinds = ["tool", "param", "mode", "step", "strategy", "term"] as const
    fc.assert(
      fc.property(
        sentence,
        fc.array(letters, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...kinds),
        fc.constantFrom(...spellings),
        fc.nat(),
        (words, parts, kind, spell, at) => {
          const name = parts.join("_")
          const around = {
            plans: [{ steps: [{ ...plan.steps[0]!, id: kind === "step" ? name : "one" }] }],
            tools: [
              tool(kind === "tool" ? name : "find", {
                [kind === "param" ? name : "what"]: {},
                how: { enum: [kind === "mode" ? name : "fast"] },
              }),
            ],
            strategies: kind === "strategy" ? [name] : [],
            terms: kind === "term" ? [name] : [],
          }
          const spelled = spell(parts)
          const message = insert(words, at, spelled)
          expect(isPlainSentence(words.join(" "), { ...around, request: "Hello" })).toBe(true)
          expect(isPlainSentence(message, { ...around, request: "Hello" })).toBe(false)
          expect(isPlainSentence(message, { ...around, request: `What is ${spelled} ?` })).toBe(
            true,
          )
        },
      ),
      { numRuns: cases(300) },
    )
  })

  it("is at most two of them, however they end and follow each other", () => {
    const ending = fc.constantFrom(".", "!", "?", "…", "?!", ".”", "!)")
    const between = fc.constantFrom(" ", "  ", "\n")
    const written = fc.record({ words: sentence, ending, between })
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 4 }), (sentences) => {
        const message = sentences
          .map(({ between: gap, ending: end, words }) => `So ${words.join(" ")}${end}${gap}`)
          .join("")
        fc.pre(message.length <= 300)
        expect(isPlain(message, "Hello")).toBe(sentences.length <= 2)
      }),
      { numRuns: cases(200) },
    )
  })

  it("never holds a technical word, in any case", () => {
    fc.assert(
      fc.property(
        sentence,
        fc.constantFrom(...technicalWords),
        fc.constantFrom("", ".", "!"),
        fc.boolean(),
        fc.nat(),
        (words, word, ending, isUpper, at) => {
          const written = `${isUpper ? word.toUpperCase() : word}${ending}`
          expect(isPlain(insert(words, at, written), "Hello")).toBe(false)
        },
      ),
      { numRuns: cases(200) },
    )
  })
})
