import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { fuseNarrowing } from "./index.ts"

const known = ["a", "b", "c", "d", "e", "f", "g", "h"]

describe("fusing narrowings", () => {
  it("takes tools from the queries round-robin", () => {
    const { tools } = fuseNarrowing({
      rankings: [
        { query: "group_by:region", tools: ["a", "b", "c"] },
        { query: "analysis:trend", tools: ["d", "a", "e"] },
      ],
      template: [],
      safety: [],
      limit: 3,
      known,
    })
    expect(tools).toEqual(["a", "d", "b"])
  })

  it("reports why each tool was kept or dropped", () => {
    const { trace } = fuseNarrowing({
      rankings: [{ query: "analysis:trend", tools: ["d", "a", "e"] }],
      template: ["b"],
      safety: ["d", "missing"],
      limit: 3,
      known: ["a", "b", "c", "d", "e"],
    })
    expect(
      Object.fromEntries(trace.map(({ tool, kept, why }) => [tool, `${kept} ${why}`])),
    ).toEqual({
      d: "true safety set, 1st for analysis:trend",
      a: "true 2nd for analysis:trend",
      b: "true template",
      e: "false 3rd for analysis:trend, beyond the limit",
      missing: "false unknown tool",
    })
  })

  it("expands only the queries that no chosen tool serves", () => {
    const { tools, trace } = fuseNarrowing({
      rankings: [
        { query: "group_by:region", tools: ["a", "b", "c"] },
        { query: "analysis:forecast", tools: ["a", "g", "h"] },
      ],
      template: [],
      safety: [],
      limit: 2,
      missing: { queries: ["analysis:forecast"], more: 1 },
      known,
    })
    expect(tools.toSorted()).toEqual(["a", "b", "g"])
    expect(trace.find(({ tool }) => tool === "g")?.why).toBe(
      "2nd for analysis:forecast, added because nothing served analysis:forecast",
    )
  })

  it("law: respects the limit, keeps template and safety tools, adds no unknown or duplicate tool", () => {
    const list = fc.uniqueArray(fc.constantFrom(...known, "stranger"))
    fc.assert(
      fc.property(
        fc.array(fc.record({ query: fc.string(), tools: list })),
        list,
        list,
        fc.integer({ min: 1, max: 12 }),
        (rankings, template, safety, limit) => {
          const { tools, trace } = fuseNarrowing({ rankings, template, safety, limit, known })
          const curated = new Set([...template, ...safety].filter((tool) => known.includes(tool)))
          expect(tools.length).toBeLessThanOrEqual(Math.max(limit, curated.size))
          for (const tool of curated) expect(tools).toContain(tool)
          for (const tool of tools) expect(known).toContain(tool)
          expect(new Set(tools).size).toBe(tools.length)
          expect(trace.filter(({ kept }) => kept).map(({ tool }) => tool)).toEqual(tools)
          expect(new Set(trace.map(({ tool }) => tool)).size).toBe(trace.length)
        },
      ),
    )
  })
})
