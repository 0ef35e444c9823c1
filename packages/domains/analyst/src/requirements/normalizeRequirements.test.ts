import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { checkValue } from "@planloom/planning"
import type { Json } from "@planloom/plugin/effect"
import { asking, profile } from "../../test/sales.ts"
import { requirementsSchema } from "./Requirements.ts"
import { normalizeRequirements } from "./normalizeRequirements.ts"

const normalise = (raw: Json) => normalizeRequirements(raw, profile)

describe("normalizeRequirements", () => {
  it("corrects misspelled labels and columns", () => {
    expect(
      normalise({
        metrics: ["Revenue", "revenue", " unknown "],
        group_by: "Product Category",
        time: { grain: "month" },
        analysis: ["Trend", "anomalies"],
        outputs: ["Chart"],
      }),
    ).toEqual(
      asking({
        metrics: ["revenue"],
        group_by: ["product_category"],
        time: { column: "date", grain: "month" },
        analysis: ["trend", "anomaly"],
        outputs: ["chart"],
      }),
    )
  })

  it("moves unknown columns and labels to unknown", () => {
    const { unknown, constraints } = normalise({
      metrics: ["profit"],
      analysis: ["astrology"],
      constraints: [{ kind: "filter", column: "customer", op: "=", value: 1 }, { kind: "top_n" }],
    })
    expect(unknown.slice(0, 2)).toEqual(["profit", "astrology"])
    expect(unknown).toHaveLength(4)
    expect(constraints).toEqual([])
  })

  it("resolves a contradiction to the exclusion", () => {
    const { outputs, constraints } = normalise({
      outputs: ["chart", "table"],
      constraints: [{ kind: "exclude", output: "chart" }],
    })
    expect(outputs).toEqual(["table"])
    expect(constraints).toHaveLength(1)
  })

  it("law: any reply gives a result that fits the schema and is stable under normalization", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        const once = normalise(raw as Json)
        expect(checkValue(requirementsSchema, once as unknown as Json)).toEqual([])
        expect(normalise(once as unknown as Json)).toEqual(once)
      }),
    )
  })
})
