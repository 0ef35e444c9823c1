/** Changes of understood questions with a known effect: a word that means something, or one that means nothing. */
import type { DataProfile } from "@planloom/tables"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../../.config/cases.ts"
import { extractRequirements } from "./extractRequirements.ts"

const table: DataProfile = {
  title: "orders",
  rows: 900,
  columns: [
    { name: "order_id", type: "integer", min: 50_001, max: 50_900, unique: true },
    { name: "ordered_at", type: "date", min: "2022-01-01 03:10:00", max: "2023-12-31 22:05:00" },
    { name: "city", type: "string", distinct: ["Berlin", "Lyon", "Madrid"] },
    { name: "category", type: "string", distinct: ["Books", "Garden", "Toys"] },
    { name: "quantity", type: "integer", min: 1, max: 40 },
    { name: "revenue", type: "number", min: 5, max: 4000 },
    { name: "discount", type: "number", min: 0, max: 30 },
    { name: "returned", type: "boolean", distinct: [false, true] },
  ],
}

const questions = [
  "What is the total revenue by city?",
  "How many of the orders were returned?",
  "What share of the orders in Berlin was returned?",
  "What is the return rate by category?",
  "Which city has the most returned orders?",
  "What is the average discount of the orders on Mondays?",
  "How many orders are there by weekday?",
  "Which are the cities with more than 20 orders?",
  "What are the top 3 categories by revenue?",
  "What is the average revenue by city?",
  "What is the ratio of the discount to the revenue?",
  "What is the difference between the revenue and the discount?",
  "What was the change in revenue from 2022 to 2023?",
  "How many orders with a revenue of more than 100 are there in Lyon?",
  "What is the median quantity of the orders with a discount above 5?",
  "What is the total revenue in the first quarter of 2023?",
  "Which is the busiest hour?",
] as const

const nouns = ["lighthouse", "mortgage", "tractor", "orchestra", "umbrella", "senator", "glacier"]
const adjectives = ["reluctant", "wooden", "married", "imported", "overdue", "purple", "ancient"]
const exceptions = ["unless it was snowing", "except for the veterans", "if they were insured"]
const wishes = ["don't", "never"]
const times = ["every day", "every other week", "once a decade"]

const readingOf = (question: string) => {
  const { question: asked, refusal, requirements } = extractRequirements(question, table)
  return { requirements, isUnderstood: asked === undefined && refusal === undefined }
}

const appended = (question: string, more: string): string =>
  `${question.replace(/\?$/, "")} ${more}?`

const inserted = (question: string, at: number, word: string): string => {
  const all = question.split(" ")
  return all.toSpliced(1 + (at % (all.length - 1)), 0, word).join(" ")
}

const any = (list: ReadonlyArray<string>) => fc.constantFrom(...list)
const place = fc.nat(40)
/** Words that nothing in the table stands for. */
const strangers: fc.Arbitrary<(question: string) => string> = fc.oneof(
  any(nouns).map((noun) => (question: string) => appended(question, `of the ${noun}`)),
  fc.tuple(any(adjectives), place).map(
    ([word, at]) =>
      (question: string) =>
        inserted(question, at, word),
  ),
  any(exceptions).map((words) => (question: string) => appended(question, words)),
  any(wishes).map((word) => (question: string) => `${word} tell me: ${question}`),
)
const rhythms = any(times).map((words) => (question: string) => appended(question, words))

const functionWords = new Set("the of there are is was were do does a".split(" "))

describe("a question with a word more or less", () => {
  it.each(questions)("is understood as it stands: %s", (question) => {
    expect(readingOf(question).isUnderstood).toBe(true)
  })

  it("law: is asked about or refused with a word that nothing in the table stands for", () => {
    fc.assert(
      fc.property(any(questions), strangers, (question, add) => {
        const text = add(question)
        expect([text, readingOf(text).isUnderstood]).toEqual([text, false])
      }),
      { numRuns: cases(150, 2) },
    )
  })

  it("law: is asked about, refused or read otherwise with a word for a rhythm", () => {
    fc.assert(
      fc.property(any(questions), rhythms, (question, add) => {
        const after = readingOf(add(question))
        const before = JSON.stringify(readingOf(question).requirements)
        expect(after.isUnderstood && JSON.stringify(after.requirements) === before).toBe(false)
      }),
      { numRuns: cases(50) },
    )
  })

  it("law: is never read otherwise without a function word", () => {
    fc.assert(
      fc.property(any(questions), place, (question, nth) => {
        const all = question.split(" ")
        const removable = all.flatMap((word, at) =>
          at > 0 && functionWords.has(word.toLowerCase()) ? [at] : [],
        )
        const at = removable[nth % Math.max(1, removable.length)]
        if (at === undefined) return
        const after = readingOf(all.toSpliced(at, 1).join(" "))
        const before = readingOf(question).requirements
        expect(after.isUnderstood ? after.requirements : before).toEqual(before)
      }),
      { numRuns: cases(100, 2) },
    )
  })
})
