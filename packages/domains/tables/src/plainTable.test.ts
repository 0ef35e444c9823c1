/** Cells of a table handle as plain text. */
import { describe, expect, it } from "vitest"
import { plainTable } from "./plainTable.ts"

const handle = {
  type: "table",
  title: "Units",
  columns: [
    { name: "month", type: "date", grain: "month" },
    { name: "quarter", type: "date", grain: "quarter" },
    { name: "mean", type: "number", label: "Mean" },
    { name: "share", type: "number" },
    { name: "year", type: "integer" },
    { name: "units", type: "integer" },
  ],
  rows: 12,
  preview: [
    {
      month: "2024-03-01",
      quarter: "2024-01-01",
      mean: 12.5,
      share: 0.0123,
      year: 2024,
      units: 12345,
    },
    { month: "2024-04-01", quarter: "2024-04-01", mean: 7, share: 0.5, year: 2024, units: null },
  ],
}

describe("the plain text of a table", () => {
  it("gives the numbers of a column the same decimals and dates their precision", () => {
    expect(plainTable(handle, 20)).toEqual({
      title: "Units",
      heads: [
        { text: "month", isNumeric: false },
        { text: "quarter", isNumeric: false },
        { text: "Mean", isNumeric: true },
        { text: "share", isNumeric: true },
        { text: "year", isNumeric: true },
        { text: "units", isNumeric: true },
      ],
      rows: [
        ["2024-03", "2024-Q1", "12.5", "0.0123", "2024", "12,345"],
        ["2024-04", "2024-Q2", "7.0", "0.5000", "2024", "–"],
      ],
      more: 10,
      notes: [],
    })
  })

  it("counts the rows that are left out", () => {
    expect(plainTable(handle, 1)).toMatchObject({
      rows: [["2024-03", "2024-Q1", "12.5", "0.0123", "2024", "12,345"]],
      more: 11,
    })
  })

  it("shows a list of flat objects with the values as they are", () => {
    expect(plainTable([{ id: 1, rate: 0.12345 }, { id: 2, note: "b" }, { id: 3 }], 2)).toEqual({
      title: undefined,
      heads: [
        { text: "id", isNumeric: true },
        { text: "rate", isNumeric: true },
        { text: "note", isNumeric: false },
      ],
      rows: [
        ["1", "0.12345", "–"],
        ["2", "–", "b"],
      ],
      more: 1,
      notes: [],
    })
  })

  it("is undefined for a value that is not a complete handle", () => {
    for (const value of [null, [], { ...handle, rows: "12" }, { ...handle, type: "chart" }]) {
      expect(plainTable(value, 20)).toBeUndefined()
    }
    expect(plainTable({ ...handle, preview: [1] }, 20)).toBeUndefined()
  })
})
