/** The understanding gate: word classes, open words, unbacked parts, decisions and answers. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  chosen,
  confidenceOf,
  decide,
  english,
  openPhrases,
  openWords,
  readingOf,
  readWords,
  uncertainClaims,
  type Claim,
  type PlanPart,
} from "./index.ts"

const classes = (text: string) =>
  readWords(text, english).map((word) => `${word.text}:${word.operator ?? word.class}`)

/** A claim on the first place of these words. */
const claim = (text: string, words: string, rest: Partial<Claim> = {}): Claim => ({
  start: text.indexOf(words),
  end: text.indexOf(words) + words.length,
  by: "test",
  certain: true,
  used: words,
  ...rest,
})

const wifiOff: PlanPart = { label: "toggle_wifi off", uses: ["wifi"] }

describe("readWords", () => {
  it("keeps politeness apart from modality: the longest phrase wins", () => {
    expect(classes("can you turn off wifi")).toEqual([
      "can:function",
      "you:function",
      "turn:change",
      "off:content",
      "wifi:content",
    ])
    expect(classes("should I turn off wifi")[0]).toBe("should:modality")
  })
  it("reads a regular past form as an operator and a word that only ends like one as content", () => {
    expect(classes("I turned off wifi")[1]).toBe("turned:past")
    expect(classes("speed")).toEqual(["speed:content"])
  })
  it("never reads a negation, condition, time or quantity as a function word", () => {
    expect(classes("don’t unless every only").map((one) => one.split(":")[1])).toEqual([
      "negation",
      "condition",
      "time",
      "quantity",
    ])
  })
  it("keeps the sign of a number and the parts of a reference together", () => {
    expect(classes("quote Q-12 for -50 or −$5 from 3-5, X-ray2")).toEqual([
      "quote:content",
      "Q-12:content",
      "for:function",
      "-50:content",
      "or:condition",
      "−$5:content",
      "from:function",
      "3-5:content",
      "X:content",
      "ray2:content",
    ])
  })
  it("takes a quoted text as one content word whatever its words are", () => {
    expect(classes('keep "do not if"')).toEqual(["keep:content", "do not if:content"])
  })
  it("keeps numbers with their signs, and comparisons as quantities", () => {
    expect(classes("price >= $4,000 12.5%")).toEqual([
      "price:content",
      ">=:quantity",
      "$4,000:content",
      "12.5%:content",
    ])
  })
  it("reads digits and the letters behind them as one word, unless the letters are a unit", () => {
    expect(
      readWords("0xabab 16A 4417QZ 1e125ed 2½ 1.5xyz 48:6f 0xabcdef", english).map(
        ({ text }) => text,
      ),
    ).toEqual(["0xabab", "16A", "4417QZ", "1e125ed", "2½", "1.5xyz", "48:6f", "0xabcdef"])
    expect(
      readWords("12kg 3pm 2nd 20K 1990s 50m² 5-10km 20people 30GB 50%off", english).map(
        ({ text }) => text,
      ),
    ).toEqual("12 kg 3 pm 2 nd 20 K 1990 s 50 m² 5-10 km 20 people 30 GB 50% off".split(" "))
  })
  it("gives places that hold the word, in order and without overlap, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        let before = 0
        for (const word of readWords(text, english)) {
          expect(word.start).toBeGreaterThanOrEqual(before)
          expect(text.slice(word.start, word.end)).toContain(word.text)
          before = word.end
        }
      }),
    )
  })
})

describe("decide", () => {
  const text = "turn off wifi"
  const settled = [claim(text, "turn off wifi", { used: "wifi" })]

  it("carries out a plan that uses every word and adds nothing", () => {
    const reading = readingOf(text, english, settled)
    expect(decide({ asked: [], reading, parts: [wifiOff] })).toEqual({ type: "go" })
    expect(confidenceOf(reading)).toBe(1)
  })
  it.each([
    ["turn off wifi when I leave home", "when"],
    ["don't turn off wifi", "don't"],
    ["I turned off wifi", "turned"],
    ["should I turn off wifi", "should"],
    ["turn off wifi every day", "every day"],
    ["turn off wifi in the kitchen", "kitchen"],
  ])("asks about a word of %j that has no use", (said, open) => {
    const claims = ["turn off wifi", "off wifi", "wifi"]
      .filter((words) => said.includes(words))
      .slice(0, 1)
      .map((words) => claim(said, words, { used: "wifi" }))
    const reading = readingOf(said, english, claims)
    const decision = decide({ asked: [], reading, parts: [wifiOff] })
    expect(decision).toMatchObject({ type: "ask", about: expect.stringContaining(open) })
  })
  it("refuses a plan with a part that no word asks for", () => {
    const reading = readingOf(text, english, settled)
    const chart = { label: "a chart", uses: ["outputs:chart"] }
    expect(decide({ asked: [], reading, parts: [wifiOff, chart] })).toEqual({
      type: "refuse",
      reason: "the request does not ask for a chart",
    })
  })
  it("asks about an open phrase, and never asks twice", () => {
    const said = "trips per month in Rome"
    const claims = [claim(said, "per month", { used: "time" })]
    const proposal = { reading: readingOf(said, english, claims), parts: [] }
    expect(decide({ ...proposal, asked: [] })).toEqual({ type: "ask", about: "trips" })
    expect(decide({ ...proposal, asked: ["trips"] })).toEqual({ type: "ask", about: "Rome" })
    expect(decide({ ...proposal, asked: ["trips", "Rome"] })).toEqual({
      type: "refuse",
      reason: 'not understood: "trips", "Rome"',
    })
  })
  it("lists a word that is only interpreted as uncertain, unless a certain claim confirms it", () => {
    const said = "turn off wfi"
    const guess = claim(said, "wfi", { certain: false })
    expect(uncertainClaims(readingOf(said, english, [guess]))).toEqual([guess])
    expect(uncertainClaims(readingOf(said, english, [guess, claim(said, "wfi")]))).toEqual([])
  })
  it("takes a choice by label, number or its only matching word, and nothing else", () => {
    const question = {
      about: "x",
      text: "",
      choices: ["unit price", "list price", "rows"].map((label) => ({ label })),
    }
    const labels = ["Unit-Price", "2", "list", "price", "4", "0", ""].map(
      (answer) => chosen(question, answer)?.label,
    )
    expect(labels).toEqual([
      "unit price",
      "list price",
      "list price",
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe("laws of a reading", () => {
  const words = fc.array(
    fc.constantFrom("sales", "the", "not", "Paris", "every", "was", "is", "2020"),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  it("goes only if every word with content is claimed, whatever is claimed", () => {
    fc.assert(
      fc.property(
        words,
        fc.array(fc.tuple(fc.nat(60), fc.nat(12), fc.boolean()), { maxLength: 6 }),
        (said, spans) => {
          const text = said.join(" ")
          const claims = spans.map(([start, length, certain]): Claim => ({
            start,
            end: start + length,
            by: "test",
            certain,
            used: "x",
          }))
          const reading = readingOf(text, english, claims)
          const decision = decide({ reading, parts: [], asked: [] })
          expect(decision.type === "go").toBe(openWords(reading).length === 0)
          expect(openPhrases(reading).length > 0).toBe(openWords(reading).length > 0)
        },
      ),
    )
  })
  it("is not changed by a function word, and is less confident with an open content word", () => {
    fc.assert(
      fc.property(words, fc.constantFrom("the", "please", "a"), (said, silent) => {
        const text = said.join(" ")
        const claims: Array<Claim> = [
          { start: 0, end: text.length, by: "test", certain: true, used: "x" },
        ]
        const longer = `${text} ${silent}`
        const strange = `${text} zebra`
        expect(confidenceOf(readingOf(longer, english, claims))).toBe(1)
        expect(confidenceOf(readingOf(strange, english, claims))).toBeLessThan(1)
      }),
    )
  })
})
