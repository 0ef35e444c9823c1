import { describe, expect, it } from "vitest"
import { profile } from "../../test/sales.ts"
import { defaultVocabulary } from "./vocabulary/defaultVocabulary.ts"
import { reader, type Rule } from "./Form.ts"
import { makeLexicon } from "./vocabulary/Lexicon.ts"
import { Reading } from "./Reading.ts"
import { tokenize } from "./tokens.ts"

/** What each rule that was used has read of a question. */
const read = (question: string, ...forms: ReadonlyArray<string>): ReadonlyArray<string> => {
  const lexicon = makeLexicon(defaultVocabulary(), profile)
  const reading = new Reading(question, tokenize(question), lexicon, profile)
  const used: Array<string> = []
  const rules = forms.map((form): Rule => [
    form,
    ({ end, items, start }) => {
      const names = items.map(({ category }) => category).join(" ")
      used.push(`${reading.textOf(start, end)}: ${names}`)
      reading.claim("used", start, end)
    },
  ])
  reader(rules)(reading)
  return used
}

describe("a form", () => {
  it("matches categories in capitals and words in lower case", () => {
    expect(read("revenue of North", "MEASURE of VALUE")).toEqual([
      "revenue of North: MEASURE VALUE",
    ])
  })

  it("takes repeated and optional parts as often as they are there", () => {
    const form = "THE* VALUE (AND VALUE)* COLUMN?"
    expect(read("all the North and South and East region", form)).toEqual([
      "all the North and South and East region: THE THE VALUE AND VALUE AND VALUE COLUMN",
    ])
    expect(read("North", form)).toEqual(["North: VALUE"])
  })

  it("takes fewer words where the rest of the form needs them", () => {
    expect(read("revenue units", "MEASURE* MEASURE")).toEqual(["revenue units: MEASURE MEASURE"])
  })

  it("gives way to the form of the longer phrase, and never uses a word twice", () => {
    expect(read("more than 5 units", "NUMBER", "MEASURE")).toEqual(["5: NUMBER", "units: MEASURE"])
    expect(read("units over 5", "MEASURE", "MEASURE OP NUMBER", "NUMBER")).toEqual([
      "units over 5: MEASURE OP NUMBER",
    ])
  })
})

it("a form that repeats reads thousands of words without an overflow", () => {
  expect(read("all the ".repeat(2_000), "THE* VALUE")).toEqual([])
  expect(read(`${"the ".repeat(20)}North`, "THE* VALUE")).toHaveLength(1)
})

describe("a rule that does not fit", () => {
  it("leaves its words to shorter ways to match", () => {
    const lexicon = makeLexicon(defaultVocabulary(), profile)
    const question = "North revenue"
    const reading = new Reading(question, tokenize(question), lexicon, profile)
    const tried: Array<number> = []
    reader([
      [
        "VALUE COLUMN?",
        (found) => {
          tried.push(found.end)
          return found.first("COLUMN") === undefined
        },
      ],
    ])(reading)
    expect(tried).toEqual([2, 1])
  })
})
