import { describe, expect, it } from "vitest"
import { reads } from "../../../test/reads.ts"

const cases: ReadonlyArray<readonly [question: string, ...ids: ReadonlyArray<string>]> = [
  ["revenue between March 2023 and June 2023", "filter:date between 2023-03, 2023-06"],
  ["revenue from March 2023 to June 2023", "filter:date between 2023-03, 2023-06"],
  ["revenue between 1 March 2023 and 15 June 2023", "filter:date between 2023-03-01, 2023-06-15"],
  ["revenue in Q1 2023 and Q2 2023", "filter:date in 2023-Q1, 2023-Q2"],
  ["revenue in the last quarter of 2023", "filter:date = 2023-Q4"],
  ["revenue in the final month of 2023", "filter:date = 2023-12"],
  ["first quarter 2023 revenue", "filter:date = 2023-Q1"],
  ["only 2023 revenue", "filter:date = 2023"],
  ["revenue not in 2023", "filter:date != 2023"],
  ["revenue, excluding Q3 2023", "filter:date != 2023-Q3"],
  ["revenue excluding the third quarter of 2023", "filter:date != 2023-Q3"],
  ["revenue before the second quarter of 2023", "filter:date < 2023-Q2"],
]

describe("reading periods", () => {
  it.each(cases)("adds a filter for the period of: %s", (question, ...ids) => {
    const { ids: found, unknown, isConfident } = reads(question)
    expect(found).toEqual([...ids, "metrics:revenue"].toSorted())
    expect(unknown).toEqual([])
    expect(isConfident).toBe(true)
  })

  it.each([
    ["how does 2024 compare to 2023 for revenue?", "filter:date in 2024, 2023", "time:year"],
    ["revenue Q1 2023 versus Q1 2024", "filter:date in 2023-Q1, 2024-Q1", "time:quarter"],
    ["compare revenue by month across years", "time:month"],
  ])("separates the compared periods: %s", (question, ...ids) => {
    expect(reads(question).ids).toEqual(["analysis:compare", "metrics:revenue", ...ids].toSorted())
  })

  it.each([
    ["revenue in December", /"December" of which year/],
    ["revenue in Q1", /"Q1" of which year/],
    ["revenue between March and June 2023", /"March" of which year: 2022, 2023, 2024/],
    ["revenue in the last quarter", /Which dates are "the last quarter"/],
    ["revenue in the past 3 months", /Which dates are "the past 3 months"/],
    ["revenue year to date", /Which dates are "year to date"/],
    ["revenue in March of last year", /"March" of which year/],
    ["compare revenue this year to last year", /Which dates are "this year"/],
    ["revenue H2 2023", /"H2"/],
    ["revenue in the first half of 2023", /"first half"/],
    ["revenue in summer 2023", /"summer"/],
    ["revenue not in the first half of 2023", /"first half"/],
    ["revenue by day of the year", /"day of the year"/],
    ["monthly seasonality of revenue", /"seasonality"/],
  ])("asks about the period of: %s", (question, asked) => {
    const found = reads(question)
    expect(found.asked).toMatch(asked)
    expect(found.isConfident).toBe(false)
  })

  it("reads the finer of two intervals", () => {
    expect(reads("revenue by month across the years").ids).toContain("time:month")
    expect(reads("revenue over the years by quarter").ids).toContain("time:quarter")
  })

  it("does not read a period after a measure as a condition on it", () => {
    expect(reads("average revenue over 3 months").ids).not.toContain("filter:revenue > 3")
  })
})
