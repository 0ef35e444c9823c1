/** Ranges of years, quarters, months, days and numbers in every form: never only their ends, and lists stay lists. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../../../.config/cases.ts"
import { reads } from "../../../test/reads.ts"
import { profile } from "../../../test/sales.ts"
import { extractRequirements } from "../extractRequirements.ts"

const months =
  "January February March April May June July August September October November December".split(" ")
const two = (value: number): string => String(value).padStart(2, "0")

interface Unit {
  /** Periods in rising order, as said and as a value. */
  readonly said: (at: number) => string
  readonly value: (at: number) => string
  readonly count: number
}

const month = (at: number): string => `${2022 + Math.floor(at / 12)}-${two((at % 12) + 1)}`
const monthName = (at: number): string => `${months[at % 12]} ${2022 + Math.floor(at / 12)}`
const day = (at: number): string => `${month(Math.floor(at / 28))}-${two((at % 28) + 1)}`
const quarter = (at: number): string => `${2022 + Math.floor(at / 4)}-Q${(at % 4) + 1}`

const units: { readonly [name: string]: Unit } = {
  years: { said: (at) => String(2022 + at), value: (at) => String(2022 + at), count: 3 },
  quarters: {
    said: (at) => `Q${(at % 4) + 1} ${2022 + Math.floor(at / 4)}`,
    value: quarter,
    count: 12,
  },
  months: { said: monthName, value: month, count: 36 },
  "months in digits": { said: month, value: month, count: 36 },
  days: {
    said: (at) => `${(at % 28) + 1} ${monthName(Math.floor(at / 28))}`,
    value: day,
    count: 900,
  },
  "days in digits": { said: day, value: day, count: 900 },
}

/** In each the ends are read; other leads may be asked about. */
const forms: ReadonlyArray<(first: string, last: string) => string> = [
  (first, last) => `${first} to ${last}`,
  (first, last) => `from ${first} to ${last}`,
  (first, last) => `between ${first} and ${last}`,
  (first, last) => `${first}–${last}`,
  (first, last) => `${first} – ${last}`,
  (first, last) => `${first} - ${last}`,
  (first, last) => `${first} through ${last}`,
  (first, last) => `only ${first} to ${last}`,
  (first, last) => `in ${first} to ${last}`,
  (first, last) => `for ${first} until ${last}`,
  (first, last) => `during ${first} — ${last}`,
]

const wishes = [
  "total revenue",
  "revenue by region",
  "average revenue per month in each region,",
  "how many units in the North",
]

const pick = <A>(list: ReadonlyArray<A>) => fc.constantFrom(...list)
const places = fc.tuple(fc.nat(899), fc.nat(899))

describe("a range", () => {
  it("of periods is everything between its ends, in each form and unit", () => {
    fc.assert(
      fc.property(
        pick(Object.values(units)),
        pick(forms),
        pick(wishes),
        places,
        (unit, form, wish, [a, b]) => {
          const [low, high] = [a % unit.count, b % unit.count].toSorted((x, y) => x - y) as [
            number,
            number,
          ]
          fc.pre(low < high)
          const text = `${wish} ${form(unit.said(low), unit.said(high))}`
          const { asked, ids } = reads(text)
          expect([text, asked]).toEqual([text, ""])
          expect(ids, text).toContain(`filter:date between ${unit.value(low)}, ${unit.value(high)}`)
        },
      ),
      { numRuns: cases(200) },
    )
  })

  it("without spaces around a hyphen is read or asked about, never as its ends", () => {
    fc.assert(
      fc.property(pick(Object.values(units)), pick(wishes), places, (unit, wish, [a, b]) => {
        const [low, high] = [a % unit.count, b % unit.count].toSorted((x, y) => x - y) as [
          number,
          number,
        ]
        fc.pre(low < high)
        const { asked, ids } = reads(`${wish} ${unit.said(low)}-${unit.said(high)}`)
        const range = `filter:date between ${unit.value(low)}, ${unit.value(high)}`
        expect(asked !== "" || ids.includes(range)).toBe(true)
      }),
      { numRuns: cases(100) },
    )
  })

  it.each([
    "revenue of orders with units",
    "total revenue where units is",
    "average revenue by region, units",
  ])("of numbers is everything between its ends: %s", (wish) => {
    fc.assert(
      fc.property(pick(forms), fc.nat(100), fc.nat(100), (form, a, more) => {
        const [low, high] = [a, a + 1 + more]
        const text = `${wish} ${form(String(low), String(high))}`
        const { asked, ids } = reads(text)
        expect(asked !== "" || ids.includes(`filter:units between ${low}, ${high}`), text).toBe(
          true,
        )
        expect(ids.some((id) => /^filter:units (=|in|<|>)/.test(id)) && asked === "", text).toBe(
          false,
        )
      }),
      { numRuns: cases(60) },
    )
  })

  it.each([
    ["total revenue where units 5 to 10", "filter:units between 5, 10"],
    ["total revenue where units from 5 to 10", "filter:units between 5, 10"],
    ["total revenue where units between 5 and 10", "filter:units between 5, 10"],
    ["total revenue where units is 5-10", "filter:units between 5, 10"],
    ["total revenue where units 5–10", "filter:units between 5, 10"],
    ["revenue with 5 to 10 units", "filter:units between 5, 10"],
    ["regions with 5 to 10 orders", "having:count between 5, 10"],
  ])("of numbers is read: %s", (text, id) => {
    expect(reads(text)).toMatchObject({ asked: "", ids: expect.arrayContaining([id]) })
  })

  it("is in the notes of the answer", () => {
    const { notes } = extractRequirements("total revenue, only 2022 to 2024", profile)
    expect(notes).toEqual(['"2022 to 2024" read as a range, both ends included'])
  })

  it.each([
    ["total revenue in 2022, 2023 and 2024", "filter:date in 2022, 2023, 2024"],
    ["total revenue in 2022 and 2024", "filter:date in 2022, 2024"],
    ["growth of revenue from 2022 to 2024", "filter:date in 2022, 2024"],
    ["revenue growth per month from 2022 to 2024", "filter:date between 2022, 2024"],
    ["total revenue from March 2023 to 2024", "filter:date between 2023-03, 2024"],
  ])("is not a list, and a list is not a range: %s", (text, id) => {
    expect(reads(text)).toMatchObject({ asked: "", ids: expect.arrayContaining([id]) })
  })

  it.each([
    "total revenue excluding 2022 to 2023",
    "total revenue not between 2022 and 2023",
    "total revenue before 2022 to 2023",
    "total revenue 2024 to 2022",
    "compare the revenue of the regions, 2022 to 2024",
    "total revenue 2022-24",
    "total revenue 2021, 2023 to 2024",
    "total revenue 2022-2023 and 2024",
    "total revenue in 2022, 2023-2024",
    "total revenue 5 to 10 May 2023",
    "total revenue May 5-10, 2023",
    "total revenue where units not between 5 and 10",
    "total revenue where units 10 to 5",
    "total revenue where units at least 5-10",
  ])("that can mean something else is asked about: %s", (text) => {
    expect(reads(text).asked).not.toBe("")
  })
})
