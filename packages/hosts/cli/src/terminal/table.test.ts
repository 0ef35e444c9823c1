import { describe, expect, it } from "vitest"
import { table } from "./table.ts"
import { widthOf } from "./text.ts"

const columns = [
  { head: "region", align: "left" },
  { head: "revenue", align: "right" },
  { head: "note", align: "left" },
] as const

const rows = [
  ["North", "1,200.5", "the best month so far, by a wide margin"],
  ["Süd", "80", "–"],
]

describe("a table", () => {
  it("aligns text to the left and numbers to the right", () => {
    expect(table(columns, rows, 80).join("\n")).toMatchInlineSnapshot(`
      "region  revenue  note
      ──────  ───────  ───────────────────────────────────────
      North   1,200.5  the best month so far, by a wide margin
      Süd          80  –"
    `)
  })

  it("narrows its widest column first on a narrow terminal", () => {
    const narrow = table(columns, rows, 34)
    expect(narrow.join("\n")).toMatchInlineSnapshot(`
      "region  revenue  note
      ──────  ───────  ─────────────────
      North   1,200.5  the best month s…
      Süd          80  –"
    `)
    for (const line of narrow) expect(widthOf(line)).toBeLessThanOrEqual(34)
  })

  it("reports the number of omitted columns", () => {
    const many = Array.from({ length: 12 }, (_, index) => ({
      head: `c${index}`,
      align: "left" as const,
    }))
    const shown = table(many, [many.map(({ head }) => head)], 30)
    expect(shown.at(-1)).toBe("7 more columns do not fit")
  })
})
