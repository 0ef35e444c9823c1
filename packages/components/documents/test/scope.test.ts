/** What may be found of rows: nothing outside of a scope, as if the rest were not there; columns one by one, or whole rows. */
import * as fc from "fast-check"
import { afterEach, describe, expect, it } from "vitest"
import { cases, seed } from "../../../../.config/cases.ts"
import { DocumentFile } from "../src/index/DocumentFile.ts"
import { addPassage } from "../src/index/passages.ts"
import type { Filter, Scope } from "../src/index/Scope.ts"
import { isFound } from "../src/index/Hit.ts"
import { searchWords, showPassages, type SearchOptions } from "../src/index/searchWords.ts"
import { wordsHeld } from "../src/index/weighTerms.ts"

interface Row {
  readonly id: string
  readonly columns: { readonly [column: string]: string }
  readonly facets: { readonly [facet: string]: ReadonlyArray<string> }
}

let opened: Array<DocumentFile> = []

afterEach(() => {
  for (const file of opened) file.close()
  opened = []
})

const indexOf = (rows: ReadonlyArray<Row>): DocumentFile => {
  const index = new DocumentFile(":memory:")
  opened.push(index)
  index.write(() => {
    for (const [at, { columns, facets, id }] of rows.entries())
      addPassage(
        index,
        "rows.csv",
        at,
        {
          id,
          headings: [],
          lines: [at + 1, at + 1],
          chars: [at, at + 1],
          page: 1,
          isBare: false,
          text: Object.entries(columns)
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n"),
          columns,
          facets,
        },
        false,
      )
  })
  return index
}

const hitsOf = (index: DocumentFile, query: string, options: SearchOptions) => {
  const { hits, ...others } = searchWords(index, query, options)
  const kept = hits.map(({ column = "", id, matched, missing, read, score }) => ({
    id,
    column,
    matched,
    missing,
    read,
    score,
  }))
  return { hits: kept.toSorted((a, b) => (a.id < b.id ? -1 : 1)), ...others }
}

const word = fc.constantFrom("edge", "cloud", "vision", "robots", "Kündigung", "talk")
const asked = fc.oneof(word, fc.constantFrom("clowd", "visoin", "robtos", "tallk", "Kundigug"))
const text = fc.array(word, { maxLength: 5 }).map((all) => all.join(" "))
const value = fc.constantFrom("mon", "Mon", "tue", "", "a'b", "wed ")
const values = fc.array(value, { maxLength: 3 })
const row = fc.record({
  columns: fc.record({ title: text, about: text }),
  facets: fc.record({ day: values, room: values }, { requiredKeys: [] }),
})
const filter: fc.Arbitrary<Filter> = fc.record(
  { day: values, room: values, other: values },
  { requiredKeys: [] },
)
const fold = (one: string) => one.trim().toLowerCase()

const isWithin = (
  { facets }: Pick<Row, "facets">,
  wanted: Filter,
  spelled: (value: string) => string,
) =>
  Object.entries(wanted).every(([facet, all]) =>
    (facets[facet] ?? []).some((one) => all.map(spelled).includes(spelled(one))),
  )

describe("a search within a scope", () => {
  it("finds what it finds in an index of the rows that fit, and nothing of the others", () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 12 }),
        filter,
        filter,
        fc.array(asked, { minLength: 1, maxLength: 3 }),
        fc.constantFrom("faceted" as const, "master" as const),
        (made, where, wanted, words, mode) => {
          const rows = made.map((one, at) => ({ ...one, id: `row ${at}` }))
          const within = rows.filter(
            (one) =>
              isWithin(one, where, (same) => same) &&
              isWithin(one, { day: ["mon", "Mon", "tue"] }, (same) => same) &&
              isWithin(one, wanted, fold),
          )
          const query = words.join(" ")
          const scope: Scope = { where: [where, { day: ["mon", "Mon", "tue"] }], filter: wanted }
          const [index, fresh] = [indexOf(rows), indexOf(within)]
          // A word outside of the search's own filter is spelled right.
          const known = new Set(wordsHeld(index, query, { where: scope.where! }))
          expect(hitsOf(index, query, { limit: 50, mode, ...scope })).toEqual(
            hitsOf(fresh, query, { limit: 50, mode, known }),
          )
          const shown = (one: DocumentFile, id: string, bounds: Scope) =>
            showPassages(one, id, bounds).map((passage) => passage.id)
          expect(shown(index, "rows.csv", scope)).toEqual(shown(fresh, "rows.csv", {}))
          for (const { id } of rows) expect(shown(index, id, scope)).toEqual(shown(fresh, id, {}))
        },
      ),
      { numRuns: cases(100), seed },
    )
  })
})

describe("what is found", () => {
  it("has more than one of several words, and enough of their weight", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), fc.nat({ max: 3 }), (made, at) => {
        const index = indexOf(made.map((one, number) => ({ ...one, id: `row ${number}` })))
        const known = ["edge", "cloud", "vision", "robots"][at]!
        const isFoundFor = (query: string, threshold?: number) =>
          searchWords(index, query, { limit: 50 }).hits.some((hit) => isFound(hit, threshold))
        const has = made.some(({ columns }) => Object.values(columns).join(" ").includes(known))
        expect(isFoundFor(known)).toBe(has)
        for (const threshold of [undefined, 0, 0.15])
          expect(isFoundFor(`quantum ${known}`, threshold)).toBe(false)
      }),
      { numRuns: cases(100), seed },
    )
  })

  it("is not a passage with words that each of many has", () => {
    const rows = Array.from({ length: 40 }, (_, at) => ({
      id: `row ${at}`,
      columns: { title: "Session on computing", about: `word${at}` },
      facets: {},
    }))
    const { hits, unknown } = searchWords(indexOf(rows), "session on quantum computing", {
      limit: 5,
    })
    expect(unknown).toEqual(["quantum"])
    expect(hits[0]).toMatchObject({ matched: [], missing: ["quantum"] })
    expect(hits.some((hit) => isFound(hit, 0))).toBe(false)
  })

  it("rests on no word that each passage has, such as the name of a column, unless there is no other", () => {
    const topics = ["computing", "time series", ...Array.from({ length: 10 }, () => "gardens")]
    const rows = topics.map((topic, at) => ({
      id: topic,
      columns: { topic: `${topic} of word${at}`, time: `1${at}:00` },
      facets: {},
    }))
    const search = (query: string) =>
      searchWords(indexOf(rows), query, { limit: 20 }).hits.filter((hit) => isFound(hit, 0.1))
    expect(search("rows on computing topics").map(({ id }) => id)).toEqual(["computing"])
    expect(search("rows on quantum computing topics")).toEqual([])
    expect(search("topic")).toHaveLength(12)
    // It is a value of some rows, too.
    expect(search("modern time series").map(({ id }) => id)).toEqual(["time series"])
  })
})

describe("a search of rows", () => {
  const rows = [
    {
      id: "split",
      columns: { title: "Cloud talk", about: "Robots at work" },
      facets: { day: ["mon"] },
    },
    {
      id: "whole",
      columns: { title: "Cloud robots", about: "A talk" },
      facets: { day: ["tue"] },
    },
  ]

  it("in the mode faceted counts the best column, and in master the whole row", () => {
    const index = indexOf(rows)
    const faceted = searchWords(index, "cloud robots", { limit: 5, mode: "faceted" })
    expect(faceted.hits).toMatchObject([
      { id: "whole", column: "title", score: 1 },
      { id: "split", missing: [expect.any(String)] },
    ])
    const master = searchWords(index, "cloud robots", { limit: 5, mode: "master" })
    expect(master.hits.map(({ score }) => score)).toEqual([1, 1])
  })

  it("leaves out what is below the threshold", () => {
    const options = { limit: 5, mode: "faceted", threshold: 0.9 } as const
    const { hits } = searchWords(indexOf(rows), "cloud robots", options)
    expect(hits.map(({ id }) => id)).toEqual(["whole"])
  })
})
