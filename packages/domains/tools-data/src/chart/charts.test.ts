import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import { call, callTable, failure, given, open, sales } from "../../test/toolCall.ts"
import type { Chart } from "./Chart.ts"
import { palette } from "./theme.ts"

const draw = async (tool: string, params: JsonObject, table: unknown) =>
  (await call(tool, params, { table: table as never })) as unknown as Chart

const monthly = async () =>
  callTable(
    "aggregate",
    { group_by: ["region"], metrics: ["revenue"], time_column: "date", time_grain: "month" },
    await open(sales),
  )

const texts = ({ svg }: Chart): ReadonlyArray<string> =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1]!)

describe("plot_line", () => {
  it("draws one line per group, with titles, units and short numbers", async () => {
    const chart = await draw(
      "plot_line",
      { x: "date", y: ["revenue"], color: "region" },
      await monthly(),
    )
    const words = texts(chart)
    for (const word of [
      "Total revenue per month by region",
      "Date",
      "Total revenue",
      "Region",
      "Europe",
      "800k",
      "Jan 2022",
    ])
      assert.include(words, word)
    const lines = chart.svg.match(/mark-line role-mark/g) ?? []
    assert.strictEqual(lines.length, 4)
    assert.include(chart.alt, "36 values of date, 4 series by region")
  })

  it("draws the same bytes for the same table", async () => {
    const table = await monthly()
    const once = await draw("plot_line", {}, table)
    await draw(
      "plot_bar",
      { x: "region", y: ["revenue"], color: "date" },
      await callTable(
        "aggregate",
        { group_by: ["region"], metrics: ["revenue"], time_column: "date", time_grain: "year" },
        await open(sales),
      ),
    )
    assert.strictEqual((await draw("plot_line", {}, table)).svg, once.svg)
  })

  it("distinguishes rows by columns that the call does not name", async () => {
    const chart = await draw("plot_line", { x: "date", y: ["revenue"] }, await monthly())
    assert.include(texts(chart), "Region")
  })

  it("inherits the page's color and has no background, script or URL", async () => {
    const { svg } = await draw("plot_line", {}, await monthly())
    assert.include(svg, 'fill="currentColor"')
    assert.notMatch(svg, /<script|href=|<image|foreignObject|\bon\w+=/)
    assert.notInclude(svg, 'fill="white"')
  })

  it("has a specification without data", async () => {
    const { spec } = await draw("plot_line", {}, await monthly())
    assert.deepStrictEqual((spec as JsonObject)["data"], { name: "table" })
  })

  it("escapes names and values", async () => {
    const bad = '<script>alert("x")</script>&'
    const table = await open(
      given(
        "evil.ndjson",
        [1, 2, 3].map((n) => JSON.stringify({ [bad]: `${bad}${n}`, "a.b[0]'": n })).join("\n"),
      ),
    )
    for (const tool of ["plot_bar", "plot_line"]) {
      const chart = await draw(tool, { x: bad, y: ["a.b[0]'"], title: bad }, table)
      assert.notInclude(chart.svg, "<script")
      assert.include(texts(chart).join(" "), "&lt;script&gt;alert")
    }
  })

  it("uses panels for more series than colors, and notes omitted series", async () => {
    const rows = Array.from(
      { length: 40 * 3 },
      (_, index) => `s${index % 40},${2000 + Math.floor(index / 40)},${index}`,
    )
    const table = await callTable(
      "parse_datetime",
      { column: "year" },
      await open(given("many.csv", `s,year,v\n${rows.join("\n")}\n`)),
    )
    const chart = await draw("plot_line", { x: "year", y: ["v"], color: "s" }, table)
    assert.deepStrictEqual(chart.notes, ["Shows the 12 largest of 40 by s."])
    assert.include(texts(chart), "s39")
    assert.notInclude(texts(chart), "s0")
  })

  it("writes years as years", async () => {
    const table = await open(given("years-line.csv", "year,v\n2015,1\n2016,2\n2019,3\n"))
    const words = texts(await draw("plot_line", { x: "year", y: ["v"] }, table))
    assert.include(words, "2019")
    assert.notInclude(words.join(" "), "2,0")
  })

  it("is narrow enough for its text to be read on a phone", async () => {
    const { svg } = await draw("plot_line", {}, await monthly())
    const width = Number(/width="(\d+)"/.exec(svg)![1])
    assert.isBelow(width, 600)
  })

  it("rejects raw rows and suggests aggregate", async () => {
    const error = await failure(
      "plot_line",
      { x: "date", y: ["revenue"] },
      { table: await open(sales) },
    )
    assert.include(error.message, "aggregate")
    assert.deepInclude(error.detail as JsonObject, { needs: "aggregate" })
    const some = await callTable(
      "filter",
      { filters: [{ column: "date", op: "=", value: "2022-01" }] },
      await open(sales),
    )
    const repeated = await callTable(
      "aggregate",
      { group_by: ["units", "date"], metrics: ["revenue"] },
      some as never,
    )
    const second = await failure(
      "plot_line",
      { x: "date", y: ["revenue"] },
      { table: repeated as never },
    )
    assert.include(second.message, "several rows for one value")
  })

  it("rejects an empty table and a table without numbers", async () => {
    const table = await open(given("words.csv", "a,b\nx,y\nz,w\n"))
    assert.include((await failure("plot_bar", {}, { table })).message, "no number to draw")
    const empty = await open(given("none.csv", "a,n\n"))
    assert.isDefined((await failure("plot_bar", { x: "a", y: ["n"] }, { table: empty })).message)
  })

  it("draws a single point and missing values", async () => {
    const one = await open(given("one-point.csv", "d,v\n2024-01-01,3\n"))
    assert.include((await draw("plot_line", {}, one)).alt, "1 value of d")
    const gaps = await open(
      given("gaps-line.csv", "d,v\n2024-01-01,3\n2024-01-02,\n2024-01-03,4\n"),
    )
    assert.include((await draw("plot_line", {}, gaps)).alt, "V from 3 to 4")
  })

  it("draws a separate panel per number", async () => {
    const table = await callTable(
      "aggregate",
      { metrics: ["revenue", "units"], time_column: "date", time_grain: "quarter" },
      await open(sales),
    )
    const words = texts(await draw("plot_line", { y: ["revenue", "units"] }, table))
    for (const word of ["Total revenue", "Total units", "Q1 2022"]) assert.include(words, word)
  })
})

describe("plot_bar", () => {
  it("orders bars by size and labels them with values", async () => {
    const table = await callTable(
      "aggregate",
      { group_by: ["region"], metrics: ["revenue"] },
      await open(sales),
    )
    const words = texts(await draw("plot_bar", { x: "region", y: ["revenue"] }, table))
    const order = words.filter((word) =>
      ["North America", "Europe", "Asia Pacific", "Latin America"].includes(word),
    )
    assert.deepStrictEqual(order, ["North America", "Europe", "Asia Pacific", "Latin America"])
    assert.include(words, "25.2M")
  })

  it("names missing categories and shortens long names", async () => {
    const long =
      "a very long name that no axis of a chart could ever show as a whole without taking all room"
    const table = await open(given("long.csv", `a,n\n${long},3\n,2\n`))
    const words = texts(await draw("plot_bar", { x: "a", y: ["n"] }, table))
    assert.include(words, "(missing)")
    assert.isTrue(words.some((word) => word.startsWith("a very long") && word.endsWith("…")))
  })

  it("keeps the thirty largest names, with a note", async () => {
    const rows = Array.from({ length: 45 }, (_, index) => `name ${index},${index}`)
    const chart = await draw(
      "plot_bar",
      { x: "a", y: ["n"] },
      await open(given("names-45.csv", `a,n\n${rows.join("\n")}\n`)),
    )
    assert.deepStrictEqual(chart.notes, ["Shows the 30 largest of 45 by a."])
  })

  it("draws grouped and stacked bars", async () => {
    const table = await callTable(
      "aggregate",
      { group_by: ["region", "product_category"], metrics: ["units"] },
      await open(sales),
    )
    const bars = async (mode: string): Promise<ReadonlyArray<string>> => {
      const chart = await draw(
        "plot_bar",
        { x: "region", y: ["units"], color: "product_category", mode },
        table,
      )
      const own = palette.slice(0, 4)
      return own.map((color) => String(chart.svg.split(`fill="${color}"`).length - 1))
    }
    // Four bars and one legend symbol of each color.
    for (const mode of ["grouped", "stacked"])
      assert.deepStrictEqual(await bars(mode), ["5", "5", "5", "5"])
  })

  it("names series of dates readably and in chronological order", async () => {
    const table = await callTable(
      "aggregate",
      { group_by: ["region"], metrics: ["units"], time_column: "date", time_grain: "year" },
      await open(sales),
    )
    const words = texts(await draw("plot_bar", { x: "region", y: ["units"], color: "date" }, table))
    assert.deepStrictEqual(
      words.filter((word) => /^20\d\d$/.test(word)),
      ["2022", "2023", "2024"],
    )
  })
})

const channel = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
type Rgb = readonly [number, number, number]
const linear = (hex: string): Rgb =>
  [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as never
const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b
const contrast = (a: string, b: string): number => {
  const [dark, light] = [luminance(linear(a)), luminance(linear(b))].toSorted((x, y) => x - y) as [
    number,
    number,
  ]
  return (light + 0.05) / (dark + 0.05)
}
/** Machado, Oliveira & Fernandes 2009, full severity. */
const vision = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}
const lab = ([r, g, b]: Rgb): Rgb => {
  const f = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047)
  const y = f(luminance([r, g, b]))
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

describe("the palette", () => {
  it("has enough contrast on white and dark", () => {
    for (const color of palette)
      for (const back of ["#ffffff", "#15171c"])
        assert.isAtLeast(contrast(color, back), 3, `${color} on ${back}`)
  })

  it.each(Object.entries(vision))("keeps every pair distinguishable with %s", (_, matrix) => {
    const seen = palette.map((color) =>
      lab(
        matrix.map((row) =>
          Math.min(
            1,
            Math.max(
              0,
              row.reduce((sum, factor, index) => sum + factor * linear(color)[index]!, 0),
            ),
          ),
        ) as never,
      ),
    )
    for (const [index, a] of seen.entries())
      for (const b of seen.slice(index + 1))
        assert.isAtLeast(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), 16)
  })
})
