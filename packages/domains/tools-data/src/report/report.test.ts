import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { JsonObject } from "@planloom/plugin/effect"
import { call, callTable, open, sales } from "../../test/toolCall.ts"
import { readReport } from "./Report.ts"
import { renderReport } from "./renderReport.ts"
import { svgMarkup } from "./safeSvg.ts"

const page = (parts: JsonObject): string => renderReport(readReport(parts))

const plan = {
  steps: [
    {
      id: "monthly",
      tool: "aggregate",
      inputs: { table: "source" },
      params: { metrics: ["revenue"] },
      satisfies: ["metrics:revenue", "time:month"],
      rationale: "Total revenue per month</h3>",
    },
    {
      id: "chart",
      tool: "plot_line",
      inputs: { table: "monthly" },
      params: {},
      satisfies: ["outputs:chart"],
    },
  ],
}

describe("render_report", () => {
  it("includes question, answer, plan, matrix, tables and charts", async () => {
    const table = await callTable(
      "aggregate",
      { metrics: ["revenue"], time_column: "date", time_grain: "month" },
      await open(sales),
    )
    const chart = await call("plot_line", {}, { table: table as never })
    const report = await call("render_report", {
      question: "How did revenue develop?",
      answer: "It grew.\n\n- a lot",
      plan,
      results: {
        monthly: { id: "monthly", output: table },
        chart: { id: "chart", output: chart },
      } as never,
      notes: ["Made without a model."],
    })
    const html = String(report["html"])
    for (const part of [
      "<h1>How did revenue develop?</h1>",
      "<p>It grew.</p>",
      "<li>a lot</li>",
      "Made without a model.",
      "Total revenue per month</h3>",
      "Jan 2022",
      "<svg",
      'aria-label="met by monthly">✓',
      "<strong>plot line</strong>",
    ])
      assert.include(html, part)
    assert.strictEqual(report["type"], "report")
    assert.match(String(report["path"]), /report\.html$/)
  })

  it("has no script and loads nothing", async () => {
    const html = page({ question: "q", answer: "a", plan })
    assert.include(html, 'content="default-src &#39;none&#39;;')
    assert.notMatch(html, /<script|<link|@import|url\((?!#)|src="(?!data:)/)
  })

  it("escapes every argument", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom(
          "<script>x</script>",
          '" onload="x',
          "</style><script>",
          "<img src=x onerror=x>",
        ),
        (noise, attack) => {
          const bad = `${noise}${attack}`
          const html = page({
            title: bad,
            question: bad,
            answer: `${bad}\n\n- ${bad}`,
            notes: [bad],
            plan: {
              steps: [
                {
                  id: bad,
                  tool: bad,
                  inputs: { [bad]: bad },
                  params: { [bad]: bad },
                  satisfies: [bad],
                  rationale: bad,
                },
              ],
            },
            coverage: { matrix: { [bad]: [bad] } },
            results: {
              [bad]: {
                type: "table",
                title: bad,
                notes: [bad],
                rows: 1,
                columns: [{ name: bad, type: bad }],
                preview: [{ [bad]: bad }],
              },
              chart: { type: "chart", title: bad, alt: bad, svg: `<svg>${bad}</svg>` },
            },
          })
          assert.strictEqual(html.match(/<script/g), null)
          assert.strictEqual(
            html.match(
              /<img(?! alt="[^"<>]*" src="data:image\/svg\+xml;base64,[A-Za-z0-9+/=]*">)/g,
            ),
            null,
          )
          assert.strictEqual((html.match(/<style>/g) ?? []).length, 1)
        },
      ),
    )
  })

  it("renders lines with dashes as lists at any position", () => {
    const html = page({ answer: "Growth:\n- Europe\n- Asia\nand no more" })
    assert.include(html, "<p>Growth:</p><ul><li>Europe</li><li>Asia</li></ul><p>and no more</p>")
  })

  it("accepts arguments of any shape", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("question", "answer", "plan", "coverage", "results", "notes", "charts"),
          fc.jsonValue(),
        ),
        (parts) => {
          assert.include(page(parts as JsonObject), "</html>")
        },
      ),
    )
  })

  it("reports empty tables and the number of omitted rows", () => {
    const table = { type: "table", columns: [{ name: "a", type: "integer" }], preview: [] }
    assert.include(page({ table: { ...table, rows: 0 } }), "No rows.")
    assert.include(
      page({ table: { ...table, rows: 1200, preview: [{ a: 1 }] } }),
      "The first 1 of 1,200 rows.",
    )
  })

  it("formats years without and amounts with separators, with aligned decimals", () => {
    const html = page({
      table: {
        type: "table",
        rows: 2,
        columns: [
          { name: "year", type: "integer" },
          { name: "v", type: "number" },
        ],
        preview: [
          { year: 2023, v: 1234.5 },
          { year: 2024, v: 7.25 },
        ],
      },
    })
    for (const part of [">2023<", ">1,234.50<", ">7.25<"]) assert.include(html, part)
  })
})

describe("an SVG in a page", () => {
  it.each([
    "<svg><script>x</script></svg>",
    '<svg onload="x"></svg>',
    '<svg><a href="javascript:x">y</a></svg>',
    '<svg><image href="https://example.com/x.png"/></svg>',
    '<svg><path fill="url(https://example.com/x)"/></svg>',
    "<svg><style>*{background:url(//x)}</style></svg>",
    "<svg><foreignObject><p>x</p></foreignObject></svg>",
    "<svg><!-- x --></svg>",
    "<svg><g onclick='x'></g></svg>",
    "<svg><g/onclick=x></g></svg>",
    "<svg><style></svg>",
    "text",
  ])("is shown as a picture when it is %s", (svg) => {
    assert.match(
      svgMarkup(svg, "alt").text,
      /^<img alt="alt" src="data:image\/svg\+xml;base64,[\w+/=]*">$/,
    )
  })

  it("is embedded inline if it only draws", async () => {
    const table = await callTable(
      "aggregate",
      { group_by: ["region"], metrics: ["revenue"] },
      await open(sales),
    )
    const chart = await call("plot_bar", {}, { table: table as never })
    assert.strictEqual(svgMarkup(String(chart["svg"]), "alt").text, chart["svg"])
  })
})
