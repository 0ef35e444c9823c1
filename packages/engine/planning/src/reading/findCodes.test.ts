/** Codes in sentences: one word, one param, and nothing else of the sentence is read otherwise. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Tool } from "@planloom/plugin/effect"
import { cases } from "../../../../../.config/cases.ts"
import {
  callWords,
  english,
  readCall,
  readRequest,
  type CallReading,
  type RequestReading,
} from "./index.ts"

const today = "2026-11-23"

const toolWith = (properties: object, more: Partial<Tool> = {}): Tool => ({
  name: "look_up",
  summary: "Looks it up.",
  effect: "read",
  capabilities: [],
  inputs: {},
  outputs: [],
  params: {
    type: "object",
    properties: {
      ...properties,
      amount: { type: "number" },
      on: { type: "string", format: "date" },
    },
  },
  ...more,
})

const read = (properties: object, text: string, more: Partial<Tool> = {}): CallReading =>
  readCall(callWords(toolWith(properties, more), english), { text, grammar: english, today })

const of = (characters: string, minLength: number, maxLength = minLength) =>
  fc.array(fc.constantFrom(...characters), { minLength, maxLength }).map((parts) => parts.join(""))

const digits = "0123456789"
const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
const lower = upper.toLowerCase()
const hex = "0123456789abcdef"
const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

const joined = (...parts: ReadonlyArray<fc.Arbitrary<string> | string>): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((texts) => texts.join(""))

/** Usual codes: a pattern, and texts that fit it. */
const kinds: ReadonlyArray<readonly [pattern: string, code: fc.Arbitrary<string>]> = [
  ["^0x[0-9a-fA-F]{40}$", joined("0x", of("abABcd19", 40))],
  ["^0x[a-f]{6,20}$", joined("0x", of("abcdef", 6, 20))],
  [
    "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
    joined(of(hex, 8), "-", of(hex, 4), "-", of(hex, 4), "-", of(hex, 4), "-", of(hex, 12)),
  ],
  ["^[A-Z]{2}[A-Z0-9]{9}[0-9]$", joined(of(upper, 2), of(upper + digits, 9), of(digits, 1))],
  ["^\\d{4}[A-Z]{2}$", joined(of(digits, 4), of(upper, 2))],
  ["^\\d{4}(KG|AM|ND|GB)$", joined(of(digits, 4), fc.constantFrom("KG", "AM", "ND", "GB"))],
  ["^[A-Z]{2,3}-\\d{1,6}$", joined(of(upper, 2, 3), "-", of(digits, 1, 6))],
  ["^([1-9A-HJ-NP-Z]|[a-km-z]){43,44}$", joined(of("123456789", 1), of(base58, 42, 43))],
  ["^[A-Z]{2}-\\d{5}/\\d$", joined(of(upper, 2), "-", of(digits, 5), "/", of(digits, 1))],
  ["^([0-9a-f]{2}:){5}[0-9a-f]{2}$", of(hex, 12).map((text) => text.match(/../g)!.join(":"))],
  ["^\\d{9,12}$", of(digits, 9, 12)],
]

const isDigit = (code: string) => /\d/.test(code)

const usual = fc
  .constantFrom(...kinds)
  .chain(([pattern, code]) => code.map((text) => ({ pattern, code: text })))
  .filter(({ code, pattern }) => isDigit(code) && new RegExp(pattern).test(code))

/** Any pattern of a few classes with lengths, and marks between them, with a text that fits it. */
const drawn = fc
  .array(
    fc.record({
      mark: fc.constantFrom("", "-", "/", "_", ".", ":"),
      from: fc.constantFrom(
        ["[A-Z]", upper] as const,
        ["[a-z]", lower] as const,
        ["\\d", digits] as const,
        ["[A-Z0-9]", upper + digits] as const,
      ),
      length: fc.integer({ min: 2, max: 6 }),
    }),
    { minLength: 2, maxLength: 5 },
  )
  .chain((parts) => {
    const withMark = parts.map((part, at) => ({ ...part, mark: at === 0 ? "" : part.mark }))
    const pattern = withMark
      .map(({ from, length, mark }) => `${mark === "" ? "" : `\\${mark}`}${from[0]}{${length}}`)
      .join("")
      .replaceAll("\\_", "_")
    return joined(...withMark.flatMap(({ from, length, mark }) => [mark, of(from[1], length)])).map(
      (code) => ({ pattern: `^${pattern}$`, code }),
    )
  })
  .filter(({ code }) => isDigit(code))
  // Where a letter may stand for a digit, "12-ab" may be a number with its unit, and "12-30" a time.
  .filter(
    ({ code, pattern }) =>
      !(pattern.includes("[A-Z0-9]") && /^\d+(?:[-./:]?\d+)*[-/]?[a-z]*$/i.test(code)),
  )

const coded = fc.oneof(usual, drawn)

const wrapped = fc.constantFrom<ReadonlyArray<readonly [string, string]>[number]>(
  ["", ""],
  ["", "."],
  ["", ","],
  ["", "?"],
  ["", ":"],
  ["(", ")"],
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["`", "`"],
  ["#", ""],
  ["tx:", ""],
  ["(tx: ", ")!"],
  ["«", "»"],
  ["**", "**"],
)

/** Numbers, days and units among words. */
const around = fc.constantFrom(
  "it weighs 12kg",
  "before 3pm",
  "the 2nd one",
  "for 20k",
  "20 boxes",
  "200 dollars",
  "on June 3rd",
  "on 2026-03-04",
  "in 2023",
  "since yesterday",
  "at 12:30",
  "up 300%",
  "3-day delivery",
  "a 5-10 range",
  "and nothing else",
  "please",
  "where is",
)

const sentences = fc.record({
  before: fc.array(around, { maxLength: 2 }),
  after: fc.array(around, { maxLength: 2 }),
  wrap: wrapped,
})

const textWith = (
  {
    after,
    before,
    wrap: [open, close],
  }: { before: string[]; after: string[]; wrap: readonly [string, string] },
  code: string,
): string => [...before, `${open}${code}${close}`, ...after].join(" ")

const others = ({ claims, words }: CallReading["reading"], code: string) =>
  words
    .filter(({ text }) => text !== code)
    .map(({ end, start, text }) => [
      text,
      claims.filter((one) => one.start < end && start < one.end).map(({ used }) => used),
    ])

describe("a code in a sentence", () => {
  it("is one word with its own param by a pattern, and what is around it keeps its reading", () => {
    fc.assert(
      fc.property(coded, sentences, ({ code, pattern }, sentence) => {
        const noise = [...sentence.before, ...sentence.after].flatMap((part) => part.split(/[ -]/))
        fc.pre(!noise.some((part) => new RegExp(pattern).test(part)))
        const { params, reading } = read(
          { slip: { type: "string", pattern } },
          textWith(sentence, code),
        )
        assert.strictEqual(params["slip"], code)
        const place = textWith(sentence, code).indexOf(code)
        const own = reading.words.filter(
          ({ end, start }) => start < place + code.length && place < end,
        )
        assert.deepStrictEqual(
          own.map(({ text }) => text),
          [code],
        )
        const bare = read({}, textWith(sentence, "zebra"))
        assert.deepStrictEqual({ ...params, slip: undefined }, { ...bare.params, slip: undefined })
        assert.deepStrictEqual(others(reading, code), others(bare.reading, "zebra"))
      }),
      { numRuns: cases(1000) },
    )
  })

  const shaped: ReadonlyArray<fc.Arbitrary<string>> = [
    joined(of(upper, 2), "-", of(digits, 5), "/", of(digits, 1)),
    joined(of(upper, 3), "-", of(digits, 4), "-", of(digits, 5)),
    joined(of(digits, 4), of(upper, 2)),
    joined(of(upper, 2), of(digits, 10)),
    of(digits, 12),
    joined("0x", of("abABcd19", 40)),
    joined(of("12ab", 8), "-4a1b-9c2d-", of("34cd", 12)),
    joined("9e1", of(hex, 6), "f2a7"),
    joined("7xR", of(base58, 38), "a1B"),
  ]

  it("is read by the shape of an example just as by a pattern", () => {
    const pairs = fc
      .constantFrom(...shaped)
      .chain((code) => fc.record({ code, example: code }))
      .filter(({ code }) => isDigit(code))
    fc.assert(
      fc.property(pairs, sentences, ({ code, example }, sentence) => {
        const slip = { type: "string", examples: [example] }
        const { params, reading } = read({ slip }, textWith(sentence, code))
        assert.strictEqual(params["slip"], code)
        const bare = read({}, textWith(sentence, "zebra"))
        assert.deepStrictEqual(others(reading, code), others(bare.reading, "zebra"))
      }),
      { numRuns: cases(300) },
    )
  })

  it("is no value without a pattern or an example, and no number", () => {
    const codes = fc.oneof(...shaped.filter((_, at) => at !== 2 && at !== 4))
    fc.assert(
      fc.property(codes.filter(isDigit), sentences, (code, sentence) => {
        const { params, missing } = readCall(
          callWords(
            {
              ...toolWith({}),
              params: {
                type: "object",
                required: ["slip"],
                properties: {
                  slip: { type: "string", format: "uri" },
                  amount: { type: "number" },
                },
              },
            },
            english,
          ),
          { text: textWith(sentence, code), grammar: english, today },
        )
        assert.deepStrictEqual(
          missing.map(({ name }) => name),
          ["slip"],
        )
        const bare = read({}, textWith(sentence, "zebra"))
        if (params["amount"] !== undefined)
          assert.strictEqual(params["amount"], bare.params["amount"])
      }),
      { numRuns: cases(300) },
    )
  })

  it("that two params take is asked about, and the answer gives it as written", () => {
    const named = fc.constantFrom<readonly [string, string]>(
      ["parcel", "letter"],
      ["letter", "parcel"],
    )
    fc.assert(
      fc.property(coded, named, wrapped, ({ code, pattern }, [chosen], wrap) => {
        const calls = [
          callWords(
            toolWith(
              { parcel: { type: "string", pattern }, letter: { type: "string", pattern } },
              { keywords: ["look up"] },
            ),
            english,
          ),
        ]
        const ask = (
          text: string,
          before?: { readonly text: string; readonly reading: RequestReading },
        ) =>
          readRequest({
            text,
            calls,
            grammar: english,
            today,
            near: () => ["look_up"],
            ...(before && { before }),
          })
        const text = textWith({ before: ["look up"], after: ["please"], wrap }, code)
        fc.pre(!text.includes("tx"))
        const reading = ask(text)
        assert.strictEqual(reading.type, "ask")
        if (reading.type !== "ask") return
        assert.deepStrictEqual(reading.near.params, {})
        assert.deepStrictEqual(
          reading.question.choices.map(({ label }) => label),
          [`parcel ${code}`, `letter ${code}`],
        )
        const answer = ask(`the ${chosen}`, { text, reading })
        assert.deepStrictEqual(
          answer.type === "calls" ? answer.calls.map(({ params }) => params) : answer.type,
          [{ [chosen]: code }],
        )
        const direct = ask(text.replace("look up", `look up ${chosen}`))
        assert.deepStrictEqual(
          direct.type === "calls" ? direct.calls.map(({ params }) => params) : direct.type,
          [{ [chosen]: code }],
        )
      }),
      { numRuns: cases(200) },
    )
  })
})

const address = "^0x[0-9a-fA-F]{40}$"
const A = `0x${"aB".repeat(20)}`
const order = "^[0-9]{5,10}$"
const loose = "^[A-Za-z0-9]+([/-][A-Za-z0-9]+)*$"

describe("a param of codes", () => {
  const slip = (pattern: string, more: object = {}) => ({
    slip: { type: "string", pattern, ...more },
  })

  it.each([
    ["a hexadecimal text without another digit", address, `Analyze tx ${A}`, A],
    ["a genitive behind it", address, `what is ${A}'s balance`, A],
    ["a genitive behind a reference", "^[A-Z]-\\d+$", "what is A-17's state", "A-17"],
    ["a genitive behind digits", order, "what is 4820917’s state", "4820917"],
    ["a name before it without a space", address, `tx:${A}, now`, A],
    ["a `#` before it", "^[A-Z]-\\d+$", "close #A-17.", "A-17"],
    ["a `#` that is of the pattern", "^#\\d{4}$", "close #4417.", "#4417"],
    ["alternatives in groups", "^(AB|CD)-\\d+$", "see CD-7", "CD-7"],
    ["alternatives that are each whole", "^AB-\\d+$|^\\d{3}/CD$", "see 417/CD", "417/CD"],
    ["capitals on both sides of a mark", "^[A-Z]+(-[A-Z]+)*$", "I want TSH-BLK-XL", "TSH-BLK-XL"],
    ["a unit's letters that the pattern asks for", "^\\d{4}KG$", "find 4417KG", "4417KG"],
    ["a year that the pattern asks for", "^\\d{4}/\\d{3}$", "the bill 2023/045", "2023/045"],
    ["a long number where letters are allowed", loose, "where is 2041898390", "2041898390"],
  ])("takes %s", (_, pattern, text, code) => {
    assert.strictEqual(read(slip(pattern), text).params["slip"], code)
  })

  it.each([
    ["a part of another code", order, "see INV-2024-00871"],
    ["a part of an address", order, "open https://shop.example/o/4820917"],
    ["a part of a longer text", address, `${A}ff`],
    ["a number with thousands or decimals", "^\\d{3}$", "pay 1,250.500"],
    ["an amount with its currency", order, "pay $48209"],
    ["a percentage", "^\\d+$", "up 300%"],
    ["a number with its unit, where letters are allowed", loose, "of 12kg by 3pm"],
    ["what a number counts, where letters are allowed", loose, "with 3-day delivery"],
    ["a time, a date or a short number, where letters are allowed", loose, "at 12:30"],
    ["a short number, where letters are allowed", "^[A-Z0-9]{2}[0-9]{1,4}$", "for 150 people"],
    ["a date of several words", "^\\d{4}$", "since June 3, 2023"],
    ["a code of other letters", "^[a-z]{2}\\d+$", "see AB12"],
    ["words", "^[a-z-]+$", "a state-of-the-art thing"],
    ["a pattern of a part", "[0-9]{4}", "see 4417"],
    ["alternatives that are not each whole", "^AB-\\d+|\\d{3}$", "see AB-417"],
    ["a pattern that is not supported", "^(?=.*\\d)[a-z0-9]+$", "see ab12"],
    ["one of two", order, "see 4820917 and 4820918"],
    ["a number that is named as another param", order, "amount 48209"],
  ])("does not take %s", (_, pattern, text) => {
    assert.isUndefined(read(slip(pattern), text).params["slip"])
  })

  it("is bounded by its lengths", () => {
    const bounded = slip("^\\d+$", { minLength: 8, maxLength: 9 })
    assert.isUndefined(read(bounded, "see 4820917").params["slip"])
    assert.strictEqual(read(bounded, "see 48209170").params["slip"], "48209170")
  })

  it("has the format of UUIDs, or examples that are all codes", () => {
    const id = "753E0011-2070-49fa-aa1b-376c39569428"
    assert.strictEqual(
      read({ slip: { type: "string", format: "uuid" } }, `stop ${id}`).params["slip"],
      id,
    )
    const slipOf = (examples: ReadonlyArray<unknown>, text: string) =>
      read({ slip: { type: "string", examples } }, text).params["slip"]
    assert.strictEqual(slipOf(["AB-12", "ABC-1234"], "see XYZ-9876"), "XYZ-9876")
    assert.isUndefined(slipOf(["AB-12", "ABC-1234"], "see XYZ-98"))
    for (const examples of [["AB-12", "the heron"], ["2023"], ["12:30"], ["BTC"], []])
      assert.isUndefined(slipOf(examples, "see AB-12 and 2023"))
  })

  it("is found by its name among numbers that fit, too", () => {
    const tool = {
      properties: slip(order),
      more: { labels: { slip: { en: "order", es: "pedido" } } },
    }
    const paid = read(tool.properties, "refund 15000 of order number 4820917", tool.more)
    assert.deepStrictEqual(paid.params, { slip: "4820917", amount: 15000 })
    assert.deepStrictEqual(
      paid.reading.claims.map(({ by, start }) => [by, start]),
      [
        ["code", 29],
        ["number", 7],
        ["name", 16],
        ["name", 22],
      ],
    )
    assert.deepStrictEqual(read(tool.properties, "refund 15000 of 4820917", tool.more).params, {})
  })

  it("leaves the only number to a number that the tool needs", () => {
    const needed = { ...toolWith(slip("^\\d{3,6}$")) }
    const params = { ...(needed.params as object), required: ["amount", "slip"] }
    const { missing, ...found } = readCall(callWords({ ...needed, params }, english), {
      text: "transfer 500",
      grammar: english,
      today,
    })
    assert.deepStrictEqual(found.params, { amount: 500 })
    assert.deepStrictEqual(
      missing.map(({ name }) => name),
      ["slip"],
    )
  })

  it("makes no words of a tool of the codes in its examples", () => {
    const call = callWords(
      toolWith(slip("^[A-Z]{2}-\\d+$"), {
        summary: "Tracks a parcel such as AB-17.",
        examples: ["where is parcel XY-23"],
      }),
      english,
    )
    assert.deepStrictEqual(
      [...call.own].filter((word) => /\d/.test(word)),
      [],
    )
    assert.strictEqual(
      readCall(call, { text: "where is parcel XY-23", grammar: english, today }).params["slip"],
      "XY-23",
    )
  })

  it("takes the code that answers the question for it", () => {
    const calls = [
      callWords(
        toolWith(slip(address), {
          params: { type: "object", required: ["slip"], properties: slip(address) },
        }),
        english,
      ),
    ]
    const input = { calls, grammar: english, today, near: () => ["look_up"] }
    const before = { text: "look it up", reading: readRequest({ ...input, text: "look it up" }) }
    assert.strictEqual(
      before.reading.type === "ask" && before.reading.question.text,
      "Look up: which slip?",
    )
    const answer = readRequest({ ...input, text: `it is ${A}.`, before })
    assert.deepStrictEqual(answer.type === "calls" && answer.calls.map(({ params }) => params), [
      { slip: A },
    ])
    assert.strictEqual(readRequest({ ...input, text: "delete it", before }).type, "none")
  })
})
