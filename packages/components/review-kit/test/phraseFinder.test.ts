/** Phrases in texts: how they are matched, and that streamed text gives the same. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { phraseFinder, phraseGroups, wordsOf } from "../src/index.ts"
import { cases } from "../../../../.config/cases.ts"

const negations = ["not", "never", "no", "cannot", "can't"]
const find = (text: string, ...phrases: ReadonlyArray<string>): ReadonlyArray<string> =>
  phraseFinder(phrases, { negations })
    .find(text)
    .map(({ end, start }) => text.slice(start, end))

const matches: ReadonlyArray<readonly [phrase: string, text: string, match?: string]> = [
  ["risk free", "It is Risk-Free, really.", "Risk-Free"],
  ["sin riesgo", "¡SIN\u00a0RIESGO!", "SIN\u00a0RIESGO"],
  ["te garantizo", "Te garantizó", "Te garantizó"],
  [
    "guarant* ... return|profit",
    "We guarantee you a good return soon",
    "guarantee you a good return",
  ],
  ["guarant* ... return|profit", "guaranteed profit", "guaranteed profit"],
  ["guarant* ... return", "guarantee a very good early return"],
  ["guarantee", "guarantees"],
  ["risk free", "a risk. Free of charge"],
  ["guarantee", "We cannot really guarantee it"],
  ["guarantee", "No. We guarantee it", "guarantee"],
  ["you can't lose", "You can’t lose", "You can’t lose"],
  ["no risk", "Nо risk", "Nо risk"],
  ["100% safe", "It's 100% safe", "100% safe"],
  ["100 safe", "It's 100% safe"],
  ["100% safe", "The 100 safe ones"],
  ["no risk", "n\u200bo ri\u00adsk", "n\u200bo ri\u00adsk"],
  ["no risk", "ｎｏ 𝐫𝐢𝐬𝐤", "ｎｏ 𝐫𝐢𝐬𝐤"],
  ["без риска", "Без риска!", "Без риска"],
]

describe("a phrase", () => {
  it.each(matches.map(([phrase, text, match]) => ({ phrase, text, match })))(
    "$phrase in $text",
    ({ match, phrase, text }) => {
      assert.deepStrictEqual(find(text, phrase), match === undefined ? [] : [match])
    },
  )

  it("gives way to a longer one that starts with the same word", () => {
    assert.deepStrictEqual(find("no risk at all", "no risk", "no risk at all"), ["no risk at all"])
  })

  it("is searched in linear time", () => {
    const finder = phraseFinder(["a ... a ... b", "b* c"], { negations })
    for (const unit of ["a ", "b ", "a. ", "not "]) {
      assert.deepStrictEqual(finder.find(unit.repeat(20_000)), [])
      assert.isAtMost(finder.pending(unit.repeat(20_000)), unit.length * 20_000)
    }
  })
})

describe("phrases of several lists", () => {
  it("are those that each list finds by itself", () => {
    const word = fc.constantFrom("a", "b", "ca", "cab", "cabin", "é")
    const part = fc.oneof(
      word,
      word.map((text) => `${text}*`),
      fc.tuple(word, word).map((some) => some.join("|")),
    )
    const phrase = fc
      .tuple(part, fc.array(fc.tuple(fc.boolean(), part), { maxLength: 3 }))
      .map(([first, rest]) =>
        rest.reduce((text, [gap, next]) => `${text}${gap ? " ..." : ""} ${next}`, first),
      )
    fc.assert(
      fc.property(
        fc.array(fc.array(phrase, { maxLength: 6 }), { maxLength: 4 }),
        fc.array(fc.constantFrom("a", "b", "ca", "cab", "cabin", "é", "x", ".", ","), {
          maxLength: 30,
        }),
        (lists, pieces) => {
          const text = pieces.join(" ")
          assert.deepStrictEqual(
            phraseGroups(lists)(wordsOf(text)),
            lists.map((phrases) => phraseFinder(phrases).find(text)),
          )
        },
      ),
      { numRuns: cases(300) },
    )
  })
})

describe("phrases in a streamed text", () => {
  const finder = phraseFinder(
    ["guarant* ... return|profit", "no risk", "no risk at all", "can't lose"],
    {
      negations,
    },
  )
  const marked = (text: string, from: number, to: number): readonly [string, number] => {
    let result = ""
    let at = from
    for (const { end, start } of finder.find(text)) {
      if (start < at || start >= to) continue
      result += `${text.slice(at, start)}[]`
      at = end
    }
    return [result + text.slice(at, Math.max(at, to)), Math.max(at, to)]
  }

  it("are the same for every way to cut the text into parts", () => {
    const words = [
      "guaranteed",
      "guarantee",
      "profit",
      "return",
      "no",
      "not",
      "never",
      "risk",
      "at",
      "all",
      "can't",
      "lose",
      "lо\u200bse",
      "\u200b",
      "gua",
      "rаnteed",
      "a",
      ".",
      ", ",
      "\n",
      " ",
      " ",
      " ",
    ]
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...words), { maxLength: 16 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
        (pieces, sizes) => {
          const text = pieces.join("")
          let released = ""
          let settled = 0
          for (let end = 0, part = 0; end < text.length; part++) {
            end = Math.min(text.length, end + sizes[part % sizes.length]!)
            const soFar = text.slice(0, end)
            const open = end === text.length ? end : Math.max(settled, finder.pending(soFar))
            const [more, next] = marked(soFar, settled, open)
            released += more
            settled = next
          }
          assert.strictEqual(released, marked(text, 0, text.length)[0])
        },
      ),
      { numRuns: cases(500, 2) },
    )
  })

  it("are held back only as long as one may come", () => {
    assert.strictEqual(finder.pending("Your transfer arrives "), 22)
    assert.strictEqual(finder.pending("Your transfer has no ri"), 18)
    assert.strictEqual(finder.pending("Your transfer has no fee today or later "), 40)
  })
})
