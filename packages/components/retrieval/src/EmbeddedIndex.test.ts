/** Search results of the index, and their independence of its history. */
import type { IndexDocument } from "@planloom/plugin/effect"
import * as fc from "fast-check"
import { crc32 } from "node:zlib"
import { describe, expect, it } from "vitest"
import { EmbeddedIndex } from "./EmbeddedIndex.ts"
import { readConcepts, Thesaurus } from "./text/Thesaurus.ts"

const tool = (id: string, summary: string, more: Partial<IndexDocument> = {}): IndexDocument => ({
  id,
  fields: { name: id, summary },
  ...more,
})

const catalog = [
  tool("plot_line", "Draw a line chart of a measure over time."),
  tool("plot_bar", "Draw a bar chart of a measure by category."),
  tool("aggregate", "Group rows and compute sums, means or counts of a column."),
  tool("detect_anomalies", "Find outliers in a time series."),
  tool("getCurrentForecast", "The forecast of a place.", {
    fields: { name: "getCurrentForecast", summary: "The forecast of a place.", group: "weather" },
  }),
  tool("send_email", "Send a message to a person."),
  tool("天气查询", "查询一个城市的天气"),
]

const found = (index: EmbeddedIndex, query: string, limit = 3) =>
  index.search(query, { limit }).map(({ id }) => id)

it("EmbeddedIndex matches long text by whole words only, and other fields also by grams", () => {
  const index = new EmbeddedIndex(
    catalog.map(({ fields: { summary, ...fields }, ...rest }) => ({
      ...rest,
      fields: { ...fields, text: summary! },
    })),
  )
  expect(found(index, "agregate")).toContain("aggregate")
  expect(found(new EmbeddedIndex(catalog), "mesage")).toContain("send_email")
  expect(found(index, "mesage")).not.toContain("send_email")
  expect(found(index, "message")).toContain("send_email")
})

describe("EmbeddedIndex search", () => {
  const index = new EmbeddedIndex(catalog)

  it.each([
    ["by a word of the name", "a line", "plot_line"],
    ["by another form of a word", "grouping and counting of rows", "aggregate"],
    ["by a part of an identifier", "current", "getCurrentForecast"],
    ["by a concept, in other words", "will it rain on Sunday", "getCurrentForecast"],
    ["in spite of a misspelling", "anomolies", "detect_anomalies"],
    ["in a script without spaces", "今天天气", "天气查询"],
  ])("finds %s", (_, query, id) => {
    expect(found(index, query)[0]).toBe(id)
  })

  it("finds a tool for each clause of a request", () => {
    const both = found(index, "Find outliers in the returns, and then send an email about them", 2)
    expect(both.toSorted()).toEqual(["detect_anomalies", "send_email"])
  })

  it("finds nothing for a query without common terms or without content words", () => {
    expect(found(index, "qqq")).toEqual([])
    expect(found(index, "could you please")).toEqual([])
    expect(found(index, "")).toEqual([])
  })

  it("finds nothing in an empty index or with limit 0", () => {
    expect(found(new EmbeddedIndex(), "line")).toEqual([])
    expect(found(index, "line", 0)).toEqual([])
    expect(found(index, "line", -1)).toEqual([])
  })
})

describe("EmbeddedIndex particles", () => {
  const index = new EmbeddedIndex([
    tool("log_in", "Starts a session of a user."),
    tool("log_out", "Ends a session of a user."),
    tool("turn_off", "Sets the television to off."),
    tool("turn_on", "Sets the television to on."),
    tool("volume_down", "Changes the loudness by one step."),
    tool("volume_up", "Changes the loudness by one step."),
    tool("zoomIn", "Changes the scale."),
    tool("zoomOut", "Changes the scale."),
    tool("like", "Marks a post."),
  ])

  it.each([
    ["volume up", "volume_up"],
    ["volume down", "volume_down"],
    ["turn on the television", "turn_on"],
    ["turn the big television off please", "turn_off"],
    ["log out", "log_out"],
    ["zoom out", "zoomOut"],
    ["zoom in", "zoomIn"],
    ["like", "like"],
  ])("tell opposites apart: %j finds %s first", (query, id) => {
    expect(found(index, query)[0]).toBe(id)
  })

  it("do not make a tool of stop words match every request", () => {
    expect(found(index, "I would like to log out", 9)).not.toContain("like")
  })
})

describe("EmbeddedIndex queries without end", () => {
  const index = new EmbeddedIndex(catalog)

  it("are searched by their start and their end", () => {
    const quoted = "lorem ipsum dolor. ".repeat(30_000)
    expect(found(index, `Find outliers in this:\n${quoted}`)).toContain("detect_anomalies")
    expect(found(index, `${quoted}\nFind outliers in it`)).toContain("detect_anomalies")
  })

  it("find the same however long they are beyond the bound", () => {
    const clauses = (count: number) => "Draw a line chart, and then send an email. ".repeat(count)
    expect(index.search(clauses(10_000), { limit: 9 })).toEqual(
      index.search(clauses(1000), { limit: 9 }),
    )
  })
})

describe("EmbeddedIndex thesaurus", () => {
  const documents = [tool("annex", "Ends the lease of a flat."), tool("other", "Sends a letter.")]
  const hits = (concepts: ReadonlyArray<ReadonlyArray<string>>, query: string) =>
    found(new EmbeddedIndex(documents, new Thesaurus(concepts)), query)

  it("finds by another word of a group, and by a phrase of one", () => {
    expect(hits([], "quit tenancy")).toEqual([])
    expect(hits([["tenancy", "lease"]], "quit tenancy")).toEqual(["annex"])
    expect(hits([["move out", "ends"]], "moving out tomorrow")).toEqual(["annex"])
  })

  it("reads a group a line: words, or phrases between commas", () => {
    expect(readConcepts("rent lease\n\nsign in, log in , enter\nalone\n")).toEqual([
      ["rent", "lease"],
      ["sign in", "log in", "enter"],
    ])
  })
})

describe("EmbeddedIndex copies", () => {
  const documents = [...catalog, tool("asked", "One.", { examples: ["how is my train"] })]

  it("of a saved index find what the index finds", () => {
    const index = new EmbeddedIndex([tool("gone", "Charts."), ...documents])
    index.remove(["gone"])
    const loaded = EmbeddedIndex.load("key", index.save("key")) as EmbeddedIndex
    expect(loaded.size).toBe(index.size)
    for (const query of ["line chart of rain", "is my train late", "agregate", "今天天气"])
      expect(loaded.search(query, { limit: 9 })).toEqual(index.search(query, { limit: 9 }))
    loaded.add([tool("more", "A line chart.")])
    expect(found(loaded, "line chart")).toContain("more")
  })

  it("change by themselves", () => {
    const index = new EmbeddedIndex(documents)
    index.copy().remove(documents.map(({ id }) => id))
    expect(found(index, "line chart")).toContain("plot_line")
  })

  it("cannot be loaded from other, damaged or foreign bytes", () => {
    const bytes = new EmbeddedIndex(documents).save("key")
    expect(EmbeddedIndex.load("other", bytes)).toBe("was built from other documents")
    const damaged = bytes.slice()
    damaged[damaged.length - 9]! ^= 1
    expect(EmbeddedIndex.load("key", damaged)).toBe("is damaged")
    expect(EmbeddedIndex.load("key", bytes.slice(0, 400))).toBe("is damaged")
    expect(EmbeddedIndex.load("key", new TextEncoder().encode("name: some other file"))).toBe(
      "is not an index",
    )
    const newer = bytes.slice()
    newer[4] = 99
    expect(EmbeddedIndex.load("key", newer)).toMatch(/^has format 99, not \d+$/)
  })

  it("of the same documents are the same bytes until FORMAT of IndexFile.ts is raised", () => {
    // A change of this number is a change of the saved form, or of the rules by which texts become terms.
    expect(crc32(new EmbeddedIndex(documents).save("key"))).toBe(1515725275)
  })
})

describe("EmbeddedIndex scores", () => {
  const index = new EmbeddedIndex(catalog)
  const best = (query: string) => index.search(query, { limit: 1 })[0]?.score ?? 0

  it("are from 0 to 1, and 1 for a query that says what the document says", () => {
    expect(best("send_email: send a message to a person")).toBe(1)
    for (const query of ["chart", "a chart of rain, and an email", "mesage", "x y z message"]) {
      expect(best(query)).toBeGreaterThan(0)
      expect(best(query)).toBeLessThanOrEqual(1)
    }
  })

  it("fall with each word of the query that no document has", () => {
    const [all, most, few] = [
      best("send a message"),
      best("send a message abroad"),
      best("send crypto money abroad tonight cheaply"),
    ]
    expect(all).toBeGreaterThan(most!)
    expect(most).toBeGreaterThan(few!)
    expect(few).toBeLessThan(0.4)
  })

  it("are at least 0.1 for a shared word, and less for pieces of words", () => {
    expect(best("message about quite a number of other matters in detail")).toBeGreaterThan(0.1)
    expect(best("mesage")).toBeLessThan(0.1)
  })

  it("leave out what is below least", () => {
    const hits = index.search("line chart", { limit: 10 })
    const least = hits[0]!.score
    expect(hits.length).toBeGreaterThan(1)
    expect(index.search("line chart", { limit: 10, least })).toEqual([hits[0]])
  })
})

describe("EmbeddedIndex without options or well-formed texts", () => {
  it("returns ten hits unless a limit is given", () => {
    const many = Array.from({ length: 12 }, (_, at) => tool(`t${at}`, "A chart."))
    expect(new EmbeddedIndex(many).search("chart")).toHaveLength(10)
  })

  it("takes a description as a summary", () => {
    const described = { id: "t", fields: { name: "t", description: "A chart." } }
    const summarized = { id: "t", fields: { name: "t", summary: "A chart." } }
    expect(new EmbeddedIndex([described]).search("a chart of rain")).toEqual(
      new EmbeddedIndex([summarized]).search("a chart of rain"),
    )
  })

  it("keeps the document that cannot be replaced", () => {
    const index = new EmbeddedIndex([tool("one", "A chart."), tool("two", "A mail.")])
    expect(() => index.add([tool("one", null as unknown as string)])).toThrow("null")
    expect(found(index, "chart")).toEqual(["one"])
    expect(index.size).toBe(2)
  })
})

describe("EmbeddedIndex facets", () => {
  const session = (id: string, facets?: IndexDocument["facets"]) =>
    tool(id, "A talk on charts.", facets && { facets })
  const index = new EmbeddedIndex([
    session("a", { day: ["mon"], room: ["west"] }),
    session("b", { day: ["mon", "tue"], room: ["east"] }),
    session("c", { day: ["tue"] }),
    session("d"),
  ])
  const talks = (where: { readonly [facet: string]: ReadonlyArray<string> }) =>
    index.search("talk on charts", { limit: 9, where }).map(({ id }) => id)

  it("narrow a search to documents with one of the values in each facet", () => {
    expect(talks({})).toEqual(["a", "b", "c", "d"])
    expect(talks({ day: ["mon"] })).toEqual(["a", "b"])
    expect(talks({ day: ["mon", "tue"], room: ["east", "north"] })).toEqual(["b"])
    expect(talks({ day: ["sun"] })).toEqual([])
    expect(talks({ day: [] })).toEqual([])
  })

  it("do not change the scores of what remains", () => {
    const all = index.search("talk on charts", { limit: 9 })
    const some = index.search("talk on charts", { limit: 9, where: { day: ["mon"] } })
    expect(some.map(({ score }) => score)).toEqual(all.slice(0, 2).map(({ score }) => score))
  })

  it("find a document among thousands that match better", () => {
    const many = Array.from({ length: 3000 }, (_, at) => session(`z${at}`, { day: ["wed"] }))
    const large = new EmbeddedIndex([
      ...many,
      tool("one", "Some charts.", { facets: { day: ["mon"] } }),
    ])
    const hits = large.search("talk on charts", { limit: 3, where: { day: ["mon"] } })
    expect(hits.map(({ id }) => id)).toEqual(["one"])
  })
})

describe("EmbeddedIndex examples", () => {
  const asked = tool("t1", "Internal tool one.", { examples: ["how is my train", "am I late"] })
  const index = new EmbeddedIndex([asked, tool("t2", "Internal tool two.")])

  it("find a tool whose own words do not match", () => {
    expect(found(index, "is my train late")).toEqual(["t1"])
  })

  it("score by the best one, so that many do not outweigh a good one", () => {
    const many = Array.from({ length: 20 }, (_, at) => `train number ${at}`)
    const crowded = new EmbeddedIndex([
      tool("many", "One.", { examples: many }),
      tool("good", "Two.", { examples: ["train delays on my line"] }),
    ])
    expect(found(crowded, "train delays on my line")[0]).toBe("good")
  })

  it("are removed with their document", () => {
    const mended = new EmbeddedIndex([asked])
    mended.add([tool("t1", "Internal tool one.")])
    expect(found(mended, "is my train late")).toEqual([])
  })
})

describe("EmbeddedIndex updates", () => {
  const vocabulary = [
    "sum",
    "chart",
    "rain",
    "weather",
    "mail",
    "sort",
    "table",
    "plot",
    "city",
    "row",
  ]
  const text = fc
    .array(fc.constantFrom(...vocabulary), { maxLength: 5 })
    .map((all) => all.join(" "))
  const document: fc.Arbitrary<IndexDocument> = fc.record({
    id: fc.constantFrom(..."abcdefgh"),
    fields: fc.record({ name: text, summary: text, own: text }),
    examples: fc.array(text, { maxLength: 2 }),
  })
  const change = fc.oneof(
    fc.array(document, { maxLength: 4 }).map((add) => ({ add })),
    fc.array(fc.constantFrom(..."abcdefgh"), { maxLength: 3 }).map((remove) => ({ remove })),
  )

  const play = (
    changes: ReadonlyArray<{ add: Array<IndexDocument> } | { remove: Array<string> }>,
  ) => {
    const index = new EmbeddedIndex()
    const remaining = new Map<string, IndexDocument>()
    for (const step of changes)
      if ("add" in step) {
        index.add(step.add)
        for (const added of step.add) remaining.set(added.id, added)
      } else {
        index.remove(step.remove)
        for (const id of step.remove) remaining.delete(id)
      }
    return { index, remaining: [...remaining.values()] }
  }

  it("leave the same index as a build from the remaining documents", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), text, (changes, query) => {
        const { index, remaining } = play(changes)
        expect(index.size).toBe(remaining.length)
        expect(index.search(query, { limit: 20 })).toEqual(
          new EmbeddedIndex(remaining).search(query, { limit: 20 }),
        )
      }),
    )
  })

  it("leave the same index in a large catalog, in any batches", () => {
    const all = Array.from({ length: 500 }, (_, at) =>
      tool(
        `tool_${at}`,
        `${vocabulary[at % 10]} every ${vocabulary[(at * 7) % 9]} number ${at % 40}`,
      ),
    )
    const grown = new EmbeddedIndex()
    for (let at = 0; at < 500; at += 3) grown.add(all.slice(at, at + 3))
    grown.remove(all.filter((_, at) => at % 3 === 0).map(({ id }) => id))
    const built = new EmbeddedIndex(all.filter((_, at) => at % 3 !== 0))
    for (const query of ["chart of rainy weather", "numbr 12", "mail a table; sort each row"])
      expect(grown.search(query, { limit: 50 })).toEqual(built.search(query, { limit: 50 }))
  })

  it("make results independent of the order of documents", () => {
    fc.assert(
      fc.property(fc.uniqueArray(document, { selector: ({ id }) => id }), text, (all, query) => {
        const [one, other] = [new EmbeddedIndex(all), new EmbeddedIndex(all.toReversed())]
        expect(one.search(query, { limit: 20 })).toEqual(other.search(query, { limit: 20 }))
      }),
    )
  })

  it("keep results within the limit, each document once, best first", () => {
    fc.assert(
      fc.property(fc.array(document), text, fc.nat({ max: 6 }), (all, query, limit) => {
        const hits = new EmbeddedIndex(all).search(query, { limit })
        expect(hits.length).toBeLessThanOrEqual(limit)
        expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length)
        expect(hits.map(({ score }) => score)).toEqual(
          hits.map(({ score }) => score).toSorted((a, b) => b - a),
        )
      }),
    )
  })

  it("make a smaller limit a prefix of a larger one", () => {
    const index = new EmbeddedIndex(catalog)
    expect(index.search("draw a chart of anomalies", { limit: 2 })).toEqual(
      index.search("draw a chart of anomalies", { limit: 5 }).slice(0, 2),
    )
  })
})
